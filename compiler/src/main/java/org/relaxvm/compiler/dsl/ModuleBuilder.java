package org.relaxvm.compiler.dsl;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.CompileOptions;
import org.relaxvm.compiler.Compiler;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.vmcore.program.Dim;
import org.relaxvm.vmcore.program.Program;

/**
 * Builds a model: inputs, operators, outputs, and then the program. It has one function, {@code
 * main}, without branches.
 *
 * <pre>{@code
 * ModuleBuilder model = new ModuleBuilder();
 * Expr x = model.input("x", DType.FLOAT32, Dim.symbol("n"), Dim.of(784));
 * Expr hidden = relu(add(matmul(x, constant(weight)), constant(bias)));
 * model.output("scores", softmax(hidden, -1));
 * Program program = model.build();
 * }</pre>
 *
 * <p>Operators are static methods of {@link Ops} and {@link NnOps}. Symbols of the same name are
 * the same extent. Types and shapes are checked when a value is given a name or becomes an output.
 * Modules with several functions, branches, loops or devices are built with {@link BlockBuilder}.
 *
 * <p>Constants are borrowed: they stay open as long as the program is used. Not thread-safe; one
 * builder makes one module.
 */
public final class ModuleBuilder {
  private static final GlobalVar MAIN = new GlobalVar("main");

  private final BlockBuilder builder = new BlockBuilder();
  private final Map<String, RelaxVar> inputs = new LinkedHashMap<>();
  private final Map<String, RelaxVar> outputs = new LinkedHashMap<>();
  private final Map<String, Var> symbols = new LinkedHashMap<>();
  private @Nullable IRModule built;

  /** A builder of a model without inputs and outputs. */
  public ModuleBuilder() {
    builder.beginFunction(MAIN.name(), List.of());
    builder.beginBlock(true);
  }

  /**
   * Adds an input; inputs are the parameters of {@code main} in this order.
   *
   * @param name of the parameter, unique among the inputs
   * @param shape one extent per axis; none for a scalar tensor. A symbol takes the extent that the
   *     argument of each call has
   * @return the input as an operand
   * @throws InvalidProgramException a {@code ValueError} when there is an input of this name
   */
  public Expr input(String name, DType dtype, Dim... shape) {
    requireOpen();
    if (inputs.containsKey(name)) {
      throw duplicate("input", name, inputs);
    }
    List<PrimExpr> extents = new ArrayList<>();
    for (Dim dim : shape) {
      extents.add(extent(dim));
    }
    RelaxVar input = new RelaxVar(name, TensorType.of(dtype, extents));
    inputs.put(name, input);
    builder.addParam(input);
    return input;
  }

  /**
   * An extent for operators that take shapes, such as {@link Ops#reshape(Expr, Object...)}.
   *
   * @param dim a symbol of one of the inputs, or a number
   */
  public PrimExpr extent(Dim dim) {
    return switch (dim) {
      case Dim.Fixed fixed -> IntImm.of(fixed.extent());
      case Dim.Symbol symbol -> symbols.computeIfAbsent(symbol.name(), Var::index);
    };
  }

  /**
   * Names a value, for the text of the module and for errors, and checks it.
   *
   * @param name a hint; it is made unique
   * @return the value as an operand
   * @throws InvalidProgramException when an operator cannot take its operands
   */
  public Expr let(String name, Expr value) {
    requireOpen();
    return builder.emit(value, name);
  }

  /**
   * Adds an output; with several, {@code main} returns a tuple of them in this order.
   *
   * @param name by which results are found, unique among the outputs
   * @throws InvalidProgramException a {@code ValueError} when there is an output of this name; also
   *     when an operator cannot take its operands
   */
  public ModuleBuilder output(String name, Expr value) {
    requireOpen();
    if (outputs.containsKey(name)) {
      throw duplicate("output", name, outputs);
    }
    outputs.put(name, builder.emitOutput(value));
    return this;
  }

  /**
   * Compiles the model; nothing can be added afterwards.
   *
   * @throws InvalidProgramException a {@code ValueError} when there is no output
   */
  public Program build() {
    return build(CompileOptions.DEFAULT);
  }

  /** Compiles the model in another way; otherwise as {@link #build()}. */
  public Program build(CompileOptions options) {
    List<String> names = List.copyOf(outputs.keySet());
    return Compiler.compile(
        module(), options.withMetadata(metadata -> metadata.outputNames(names)));
  }

  /**
   * The model in Relax IR, for passes and texts; nothing can be added afterwards. A module has no
   * names of outputs: results of a program that is compiled from it are found by position. The same
   * module each time.
   *
   * @throws InvalidProgramException a {@code ValueError} when there is no output
   */
  public IRModule module() {
    IRModule known = built;
    if (known != null) {
      return known;
    }
    if (outputs.isEmpty()) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "the model has no output\n  what to do: add one with output(name, value)");
    }
    builder.endBlock();
    List<Expr> results = List.copyOf(outputs.values());
    Expr result = results.size() == 1 ? results.getFirst() : new Tuple(results);
    RelaxFunction main =
        builder.endFunction(
            List.copyOf(inputs.values()),
            result,
            Optional.empty(),
            true,
            Attrs.NONE.with(RelaxFunction.GLOBAL_SYMBOL, MAIN.name()));
    builder.put(MAIN, main);
    IRModule module = builder.module();
    built = module;
    return module;
  }

  private void requireOpen() {
    if (built != null) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "nothing can be added to a model that is built\n"
              + "  what to do: add inputs and outputs before build() and module(), or use a new"
              + " ModuleBuilder");
    }
  }

  private static InvalidProgramException duplicate(
      String kind, String name, Map<String, RelaxVar> known) {
    return new InvalidProgramException(
        ErrorKind.VALUE,
        "there is an "
            + kind
            + " '"
            + name
            + "' already\n  the "
            + kind
            + "s are: "
            + String.join(", ", known.keySet()));
  }
}
