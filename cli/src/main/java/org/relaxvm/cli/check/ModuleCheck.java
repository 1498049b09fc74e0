package org.relaxvm.cli.check;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Managed;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.cli.input.InputReader;
import org.relaxvm.cli.input.MainDevice;
import org.relaxvm.compiler.eval.RelaxEvaluator;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.check.Symbols;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.vmcore.program.ProgramMetadata;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Compares what a module gives when it is compiled with what the evaluator says that it means. */
public final class ModuleCheck {
  private final IRModule module;
  private final GlobalVar function;
  private final Comparison comparison;

  /**
   * Creates a check of a function of a module.
   *
   * @param comparison of results with those of the evaluator
   */
  public ModuleCheck(IRModule module, String function, Comparison comparison) {
    GlobalVar name = new GlobalVar(function);
    if (!module.relaxFunctions().containsKey(name)) {
      throw new CallException(
          ErrorKind.VALUE,
          "the module has no function '"
              + function
              + "'; name one with --function: "
              + module.relaxFunctions().keySet().stream()
                  .map(GlobalVar::name)
                  .collect(Collectors.joining(", ")));
    }
    this.module = module;
    this.function = name;
    this.comparison = comparison;
  }

  /**
   * Inputs for all parameters, as the command line has them: random tensors.
   *
   * @param sizes of symbolic extents, by name
   * @throws CallException where a type does not say enough
   */
  public List<String> randomInputs(Map<String, Long> sizes) {
    return params().stream().map(param -> randomInput(param, sizes)).toList();
  }

  private List<RelaxVar> params() {
    return module.requireFunction(function).params();
  }

  private static String randomInput(RelaxVar param, Map<String, Long> sizes) {
    if (param.type() instanceof TensorType type
        && type.dtype().isPresent()
        && type.dims().isPresent()) {
      List<PrimExpr> dims = type.dims().get();
      String shape =
          dims.stream()
              .map(dim -> Long.toString(size(param, dim, sizes)))
              .collect(Collectors.joining("x"));
      return "random:" + (dims.isEmpty() ? "scalar" : shape) + ":" + type.dtype().get();
    }
    throw new CallException(
        ErrorKind.VALUE,
        "the type of the parameter '"
            + param.name()
            + "', "
            + param.type()
            + ", does not say which tensor to make\n"
            + "  what to do: give all inputs by --input, as 'relaxvm run' takes them");
  }

  private static long size(RelaxVar param, PrimExpr dim, Map<String, Long> sizes) {
    Map<Var, PrimExpr> known =
        Symbols.usedBy(dim).stream()
            .collect(Collectors.toMap(symbol -> symbol, symbol -> bound(param, symbol, sizes)));
    if (new Analyzer().simplify(Substitution.in(dim, known)) instanceof IntImm number
        && number.value() >= 0) {
      return number.value();
    }
    throw new CallException(
        ErrorKind.VALUE,
        "the extent "
            + dim
            + " of the parameter '"
            + param.name()
            + "' is no size with "
            + sizes
            + "\n  what to do: give other sizes by --bind");
  }

  private static PrimExpr bound(RelaxVar param, Var symbol, Map<String, Long> sizes) {
    Long size = sizes.get(symbol.name());
    if (size == null) {
      throw new CallException(
          ErrorKind.VALUE,
          "how large "
              + symbol.name()
              + " is must be said, for the type of the parameter '"
              + param.name()
              + "' is "
              + param.type()
              + "\n  what to do: say it, such as --bind "
              + symbol.name()
              + "=3, or give all inputs by --input");
    }
    return new IntImm(symbol.dtype(), size);
  }

  /**
   * Does one run; empty when the results agree, else what was wrong.
   *
   * @param vm with the compiled module; stays the caller's
   * @param inputs as the command line has them
   */
  public Optional<String> failure(VirtualMachine vm, List<String> inputs) {
    List<@Nullable Object> here = read(inputs);
    List<@Nullable Object> there = new ArrayList<>();
    try {
      Object expected =
          new RelaxEvaluator(module)
              .run(function.name(), here.stream().map(ModuleCheck::forEvaluator).toArray());
      there.addAll(read(inputs));
      MainDevice.uploadAll(vm, function.name(), there);
      try (Value result = vm.function(function.name()).call(there.toArray())) {
        return comparison.difference(expected, result.object());
      }
    } catch (RelaxException e) {
      return Optional.of(e.kind() + ": " + e.getMessage());
    } finally {
      here.forEach(Managed::release);
      there.forEach(Managed::release);
    }
  }

  private List<@Nullable Object> read(List<String> inputs) {
    return new InputReader(ProgramMetadata.EMPTY, params().stream().map(RelaxVar::name).toList())
        .read(inputs);
  }

  /** The evaluator has no null: an empty tuple is no result. */
  private static Object forEvaluator(@Nullable Object value) {
    return value == null ? List.of() : value;
  }
}
