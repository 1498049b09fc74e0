package org.relaxvm.interoponnx;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.relaxvm.api.DType;
import org.relaxvm.api.spi.Module;
import org.relaxvm.compiler.CompileOptions;
import org.relaxvm.compiler.Compiler;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.interoponnx.convert.ModelImporter;
import org.relaxvm.interoponnx.data.ElementType;
import org.relaxvm.interoponnx.options.OnnxOptions;
import org.relaxvm.interoponnx.proto.TypeProto;
import org.relaxvm.interoponnx.proto.TypeProto.Dimension;
import org.relaxvm.interoponnx.proto.ValueInfoProto;
import org.relaxvm.vmcore.program.Dim;
import org.relaxvm.vmcore.program.HostFunctions;
import org.relaxvm.vmcore.program.LoadProgress;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.TensorSpec;

/**
 * A program whose {@code main} passes its arguments to the version that is compiled for the values
 * of some of them.
 *
 * <p>Rationale: docs/rationale/interop-onnx.md, "Why is a model compiled once for each value of its
 * axes?"
 */
final class VersionedProgram implements HostFunctions {
  /** The function that finds or compiles a version and calls it. */
  static final String FUNCTION = "relaxvm.onnx.version";

  private final OnnxModel model;
  private final OnnxOptions options;
  private final CompileOptions compileOptions;
  private final List<String> inputs;
  private final Set<String> deciding;

  private VersionedProgram(
      OnnxModel model,
      OnnxOptions options,
      CompileOptions compileOptions,
      List<String> inputs,
      Set<String> deciding) {
    this.model = model;
    this.options = options;
    this.compileOptions = compileOptions;
    this.inputs = List.copyOf(inputs);
    this.deciding = Set.copyOf(deciding);
  }

  /**
   * A program with versions.
   *
   * @param compileOptions of the program and of each version
   * @param imported with inputs that decide axes
   */
  static Program of(
      OnnxModel model,
      OnnxOptions options,
      CompileOptions compileOptions,
      ModelImporter.Result imported) {
    List<String> names = List.copyOf(imported.inputs().keySet());
    HostFunctions functions =
        new VersionedProgram(
            model,
            options.withProgress(LoadProgress.NONE),
            compileOptions,
            names,
            imported.deciding());
    return Compiler.compile(
            module(List.copyOf(imported.inputs().values())),
            compileOptions.withMetadata(
                metadata -> {
                  metadata
                      .name(model.proto().graph().name())
                      .description(model.proto().docString())
                      .inputNames(names);
                  outputs(model, imported.outputs()).forEach(metadata::output);
                }))
        .withHostFunctions(List.of(functions));
  }

  /** The outputs as the model declares them; none unless it declares dtype and shape of each. */
  private static List<TensorSpec> outputs(OnnxModel model, List<String> names) {
    Map<String, TypeProto> types =
        model.proto().graph().outputs().stream()
            .collect(Collectors.toMap(ValueInfoProto::name, ValueInfoProto::type, (a, b) -> a));
    List<TensorSpec> specs = new ArrayList<>();
    for (String name : names) {
      if (types.get(name) instanceof TypeProto.OfTensor(int element, var shape)
          && shape.isPresent()
          && ElementType.of(element).dtype() instanceof DType dtype) {
        List<Dim> dims = new ArrayList<>();
        for (Dimension dimension : shape.get()) {
          dims.add(dim(dimension, "axis_" + specs.size() + "_" + dims.size()));
        }
        specs.add(new TensorSpec(name, dtype, dims));
      }
    }
    return specs.size() == names.size() ? specs : List.of();
  }

  /**
   * @param unnamed the symbol of an extent without a name
   */
  private static Dim dim(Dimension dimension, String unnamed) {
    return switch (dimension) {
      case Dimension.Value(long extent) when extent >= 0 -> Dim.of(extent);
      case Dimension.Param(String name) when name.matches("[A-Za-z_][A-Za-z0-9_]*") ->
          Dim.symbol(name);
      default -> Dim.symbol(unnamed);
    };
  }

  private static IRModule module(List<RelaxVar> parameters) {
    GlobalVar main = new GlobalVar("main");
    BlockBuilder builder = new BlockBuilder();
    builder.beginFunction(main.name(), parameters);
    builder.beginBlock(false);
    Expr result = builder.emit(CallOps.callPurePacked(FUNCTION, parameters, AnyType.ANY), "result");
    builder.endBlock();
    Attrs attrs = Attrs.NONE.with(RelaxFunction.GLOBAL_SYMBOL, main.name());
    builder.put(main, builder.endFunction(parameters, result, Optional.empty(), true, attrs));
    return builder.module();
  }

  /** Why a model is no module. */
  static String undecided(String model, Set<String> deciding) {
    return model
        + ": the values of "
        + text(deciding)
        + " decide axes, and are not known\n  what to do: "
        + remedy(deciding);
  }

  private static String text(Set<String> deciding) {
    String names = String.join("', '", deciding.stream().sorted().toList());
    return (deciding.size() == 1 ? "the input '" : "the inputs '") + names + "'";
  }

  private static String remedy(Set<String> deciding) {
    return "make "
        + (deciding.size() == 1 ? "it a constant" : "them constants")
        + " ("
        + String.join(
            " ", deciding.stream().sorted().map(name -> "--value " + name + "=...").toList())
        + ")";
  }

  @Override
  public String origin() {
    return "versions of main for each value of " + text(deciding);
  }

  @Override
  public Set<String> functionNames() {
    return Set.of(FUNCTION);
  }

  @Override
  public String remedy() {
    return remedy(deciding);
  }

  @Override
  public Module link(ProgramLinker linker) {
    return new Versions(model, options, compileOptions, inputs, deciding, linker);
  }
}
