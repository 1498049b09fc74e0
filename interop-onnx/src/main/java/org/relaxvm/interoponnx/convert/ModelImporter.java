package org.relaxvm.interoponnx.convert;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.api.DType;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.GlobalVar;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxFunction;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.interoponnx.OnnxFinding;
import org.relaxvm.interoponnx.OnnxOptions;
import org.relaxvm.interoponnx.OnnxReport;
import org.relaxvm.interoponnx.data.ElementType;
import org.relaxvm.interoponnx.data.TensorData;
import org.relaxvm.interoponnx.proto.GraphProto;
import org.relaxvm.interoponnx.proto.ModelProto;
import org.relaxvm.interoponnx.proto.TypeProto;
import org.relaxvm.interoponnx.proto.TypeProto.Dimension;
import org.relaxvm.interoponnx.proto.ValueInfoProto;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Translates a model into a module with the function {@code main}. Used once. Not thread-safe. */
public final class ModelImporter {
  private static final GlobalVar MAIN = new GlobalVar("main");

  private final ModelProto proto;
  private final ModelContext model;
  private final GraphImporter importer;
  private final Scope scope;
  private final Set<String> plainSymbols = new HashSet<>();
  private final Map<String, RelaxVar> inputs = new LinkedHashMap<>();
  private List<String> outputs = List.of();

  /** An importer of a model with some operators. */
  public ModelImporter(
      ModelProto proto, TensorData data, OperatorTable operators, OnnxOptions options) {
    this.proto = proto;
    this.model = new ModelContext(operators, options, data, proto.functions());
    this.importer = new GraphImporter(model);
    this.scope = Scope.ofModel(proto.opsets().isEmpty() ? Map.of("", 1L) : proto.opsets());
  }

  /**
   * What came of an import. Immutable.
   *
   * @param module empty when the report has errors
   * @param inputs the parameters of {@code main} by their names in the model, in order
   * @param outputs names of the results, in order
   */
  public record Result(
      Optional<IRModule> module,
      OnnxReport report,
      Map<String, RelaxVar> inputs,
      List<String> outputs) {}

  /**
   * Translates the model.
   *
   * @param name of the model, for messages
   * @throws org.relaxvm.api.error.MalformedFileException when the graph contradicts itself
   */
  public Result run(String name) {
    GraphProto graph = proto.graph();
    model.builder.beginFunction(MAIN.name(), List.of());
    model.builder.beginBlock(false);
    importer.initializers(graph, scope);
    inputs(graph);
    outputs = wanted(graph);
    importer.nodes(graph.nodes(), outputs, scope);
    Optional<List<Expr>> results = results();
    OnnxReport report = new OnnxReport(name, importer.nodes(), model.findings);
    if (!report.isSupported() || results.isEmpty()) {
      return new Result(Optional.empty(), report, inputs, outputs);
    }
    return new Result(Optional.of(module(results.get())), report, inputs, outputs);
  }

  // ---------------------------------------------------------------- inputs

  private void inputs(GraphProto graph) {
    List<ValueInfoProto> given =
        graph.inputs().stream().filter(input -> scope.find(input.name()).isEmpty()).toList();
    Map<String, TypeProto> types = new LinkedHashMap<>();
    for (ValueInfoProto input : given) {
      types.put(input.name(), input.type());
      dims(input.type()).forEach(this::notePlain);
    }
    types.forEach(this::input);
  }

  private static List<Dimension> dims(TypeProto type) {
    return type instanceof TypeProto.OfTensor tensor ? tensor.shape().orElse(List.of()) : List.of();
  }

  private void notePlain(Dimension dimension) {
    if (dimension instanceof Dimension.Param(String text)) {
      plainSymbols.add(text);
    }
  }

  private void input(String name, TypeProto type) {
    Tensor value = model.options.values().get(name);
    if (value != null) {
      scope.define(name, GraphImporter.constant(new Constant(value)));
      return;
    }
    try {
      switch (type) {
        case TypeProto.OfTensor tensor -> parameter(name, tensorType(name, tensor));
        case TypeProto.OfOptional optional ->
            scope.define(name, new Operand.Maybe(Optional.empty()));
        default -> throw unsupported(name, "is no tensor", "");
      }
    } catch (InvalidProgramException e) {
      model.findings.add(
          new OnnxFinding(OnnxFinding.Severity.ERROR, "", "", e.problem(), e.remedy().orElse("")));
      scope.define(name, new Operand.Unavailable());
    }
  }

  private void parameter(String name, Type type) {
    RelaxVar param = new RelaxVar(model.builder.uniqueName(Names.identifier(name, "input")), type);
    inputs.put(name, param);
    model.builder.addParam(param);
    scope.define(name, new Operand.Computed(param, type));
  }

  private TensorType tensorType(String name, TypeProto.OfTensor type) {
    ElementType element = ElementType.of(type.elementType());
    DType dtype = element.dtype();
    if (dtype == null) {
      throw unsupported(name, "has elements of type " + element.string(), "");
    }
    List<Long> given = model.options.shapes().get(name);
    if (given != null) {
      return TensorType.of(dtype, given.stream().map(IntImm::of).toList());
    }
    List<Dimension> dims =
        type.shape()
            .orElseThrow(
                () ->
                    unsupported(
                        name,
                        "has an unknown number of axes",
                        "give it a shape: --shape " + name + "=1x3x224x224"));
    List<PrimExpr> extents = new ArrayList<>();
    for (int axis = 0; axis < dims.size(); axis++) {
      extents.add(extent(dims.get(axis), name + "_" + axis));
    }
    return TensorType.of(dtype, extents);
  }

  private static InvalidProgramException unsupported(String input, String what, String remedy) {
    return new InvalidProgramException(
        ErrorKind.VALUE,
        "the input '"
            + input
            + "' "
            + what
            + (remedy.isEmpty() ? "" : "\n  what to do: " + remedy));
  }

  private PrimExpr extent(Dimension dimension, String hint) {
    return switch (dimension) {
      case Dimension.Value(long extent) when extent >= 0 -> IntImm.of(extent);
      case Dimension.Value negative -> model.symbols.fresh(hint);
      case Dimension.Unspecified unspecified -> model.symbols.fresh(hint);
      case Dimension.Param(String text) -> named(text, hint);
    };
  }

  private PrimExpr named(String text, String hint) {
    if (text.isBlank() || text.equals("?") || text.equals("None") || text.equals("-1")) {
      return model.symbols.fresh(hint);
    }
    return DimExpressions.parse(
            text,
            word ->
                plainSymbols.contains(word)
                    ? Optional.of(model.symbols.named(word))
                    : Optional.empty())
        .orElseGet(() -> model.symbols.named(text));
  }

  // ---------------------------------------------------------------- outputs

  private List<String> wanted(GraphProto graph) {
    List<String> all = graph.outputs().stream().map(ValueInfoProto::name).toList();
    return model.options.outputs().isEmpty() ? all : model.options.outputs();
  }

  private Optional<List<Expr>> results() {
    List<Expr> results = new ArrayList<>();
    for (String output : outputs) {
      Operand value = importer.value(output, scope);
      if (value instanceof Operand.Unavailable) {
        return Optional.empty();
      }
      try {
        results.add(result(value));
      } catch (InvalidProgramException | CallException e) {
        model.findings.add(
            new OnnxFinding(
                OnnxFinding.Severity.ERROR,
                "",
                "",
                "the output '" + output + "': " + e.problem(),
                e.remedy().orElse("")));
        return Optional.empty();
      }
    }
    return Optional.of(results);
  }

  private Expr result(Operand value) {
    if (value instanceof Operand.Sequence(List<Operand> elements)) {
      return new Tuple(elements.stream().map(importer.tensors::leaf).toList());
    }
    return importer.tensors.leaf(value);
  }

  private IRModule module(List<Expr> results) {
    Expr result = results.size() == 1 ? results.getFirst() : new Tuple(results);
    model.builder.endBlock();
    RelaxFunction main =
        model.builder.endFunction(
            List.copyOf(inputs.values()),
            result,
            Optional.empty(),
            true,
            Attrs.NONE.with(RelaxFunction.GLOBAL_SYMBOL, MAIN.name()));
    model.builder.put(MAIN, main);
    return model.builder.module();
  }
}
