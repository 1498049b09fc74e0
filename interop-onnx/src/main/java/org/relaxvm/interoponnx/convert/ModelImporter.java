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
import org.relaxvm.compiler.ir.TupleGetItem;
import org.relaxvm.compiler.op.core.CallOps;
import org.relaxvm.compiler.type.AnyType;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.TupleType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.interoponnx.data.ElementType;
import org.relaxvm.interoponnx.data.TensorData;
import org.relaxvm.interoponnx.options.OnnxFinding;
import org.relaxvm.interoponnx.options.OnnxOptions;
import org.relaxvm.interoponnx.options.OnnxReport;
import org.relaxvm.interoponnx.proto.GraphProto;
import org.relaxvm.interoponnx.proto.ModelProto;
import org.relaxvm.interoponnx.proto.TypeProto;
import org.relaxvm.interoponnx.proto.TypeProto.Dimension;
import org.relaxvm.interoponnx.proto.ValueInfoProto;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.interoponnx.value.ValueType;
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
    this.importer = new GraphImporter(model, proto.graph().nodes().size());
    this.scope = Scope.ofModel(proto.opsets().isEmpty() ? Map.of("", 1L) : proto.opsets());
  }

  /**
   * What came of an import. Immutable.
   *
   * @param module empty when the report has errors, or inputs decide axes
   * @param inputs the parameters of {@code main} by their names in the model, in order
   * @param outputs names of the results, in order
   * @param deciding inputs that decide axes: the model must be imported for their values
   */
  public record Result(
      Optional<IRModule> module,
      OnnxReport report,
      Map<String, RelaxVar> inputs,
      List<String> outputs,
      Set<String> deciding) {}

  /**
   * Translates the model.
   *
   * @param name of the model, for messages
   * @throws org.relaxvm.api.error.MalformedFileException when the graph contradicts itself
   */
  public Result run(String name) {
    GraphProto graph = proto.graph();
    OptionChecks.require(graph, model.options);
    model.builder.beginFunction(MAIN.name(), List.of());
    model.builder.beginBlock(false);
    warnOfVersion();
    importer.initializers(graph, scope);
    inputs(graph);
    outputs = wanted(graph);
    List<Operand> values = importer.results(graph.nodes(), outputs, scope);
    Optional<List<Expr>> results = results(values);
    for (String input : model.deciding) {
      model.warn(
          "",
          "the input '" + input + "' decides axes: a version is compiled for each of its values",
          "make it a constant (--value " + input + "=...)");
    }
    model.reportMissing(name);
    OnnxReport report = new OnnxReport(name, importer.nodes(), model.distinctFindings());
    if (report.isSupported()) {
      OptionChecks.requireUsed(model.options.extents(), model.symbols.asked());
    }
    boolean isWhole = report.isSupported() && results.isPresent() && model.deciding.isEmpty();
    return new Result(
        isWhole ? Optional.of(module(results.get())) : Optional.empty(),
        report,
        inputs,
        outputs,
        Set.copyOf(model.deciding));
  }

  private void warnOfVersion() {
    long version = scope.version("").orElse(1L);
    if (version > GraphImporter.NEWEST) {
      model.warn(
          "",
          "opset %d is newer than %d: operators are read as in %d"
              .formatted(version, GraphImporter.NEWEST, GraphImporter.NEWEST),
          "compare the results, or export the model with opset " + GraphImporter.NEWEST);
    }
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
    types.forEach(this::bindExtents);
    types.forEach(this::input);
  }

  /** A shape that is given for an input binds the symbolic extents that it has. */
  private void bindExtents(String input, TypeProto type) {
    List<Long> shape = model.options.shapes().get(input);
    List<Dimension> dims = dims(type);
    for (int axis = 0; shape != null && axis < dims.size(); axis++) {
      if (dims.get(axis) instanceof Dimension.Param(String symbol) && !isNameless(symbol)) {
        long extent = shape.get(axis);
        long bound = model.symbols.bind(symbol, extent);
        if (bound != extent) {
          throw new InvalidProgramException(
              ErrorKind.VALUE,
              "the extent '"
                  + symbol
                  + "' cannot be both "
                  + bound
                  + " and "
                  + extent
                  + ", which the shape "
                  + shape
                  + " of the input '"
                  + input
                  + "' says\n  what to do: give shapes and extents that agree");
        }
        model.symbols.named(symbol);
      }
    }
  }

  private static boolean isNameless(String text) {
    return text.isBlank() || text.equals("?") || text.equals("None") || text.equals("-1");
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
        case TypeProto.OfTensor(int element, var shape)
            when ElementType.of(element) == ElementType.STRING ->
            strings(name, extents(name, shape));
        case TypeProto.OfTensor tensor -> parameter(name, tensorType(name, tensor));
        default -> {
          RelaxVar param = parameter(name, AnyType.ANY);
          scope.define(name, importer.values.unpacked(param, typeOf(name, type), param.name()));
        }
      }
    } catch (InvalidProgramException e) {
      model.findings.add(
          new OnnxFinding(OnnxFinding.Severity.ERROR, "", "", e.problem(), e.remedy().orElse("")));
      scope.define(name, new Operand.Unavailable());
    }
  }

  private RelaxVar parameter(String name, Type type) {
    RelaxVar param = new RelaxVar(model.builder.uniqueName(Names.identifier(name, "input")), type);
    inputs.put(name, param);
    model.parameters.add(param, name);
    model.builder.addParam(param);
    scope.define(name, new Operand.Computed(param, type));
    return param;
  }

  private void strings(String name, List<PrimExpr> dims) {
    RelaxVar param = parameter(name, AnyType.ANY);
    scope.define(name, importer.values.text(param, dims, param.name()));
  }

  /** The type of an input that is no tensor; extents in it differ from one element to the next. */
  private static ValueType typeOf(String name, TypeProto type) {
    return switch (type) {
      case TypeProto.OfTensor(int element, var shape)
          when ElementType.of(element) == ElementType.STRING ->
          new ValueType.OfStrings(shape.map(List::size).orElse(ValueType.UNKNOWN_RANK));
      case TypeProto.OfTensor tensor ->
          new ValueType.OfTensor(
              dtype(name, tensor.elementType()),
              tensor.shape().map(dims -> dims.stream().map(ModelImporter::number).toList()));
      case TypeProto.OfSequence(TypeProto element) ->
          new ValueType.OfList(Optional.of(typeOf(name, element)));
      case TypeProto.OfMap(int key, TypeProto.OfTensor(int element, var shape)) ->
          new ValueType.OfMap(
              ElementType.of(key) == ElementType.STRING,
              Optional.ofNullable(ElementType.of(element).dtype()));
      case TypeProto.OfOptional(TypeProto element) ->
          new ValueType.OfPossible(Optional.of(typeOf(name, element)));
      default ->
          throw unsupported(
              name, "is neither a tensor nor a map, nor a sequence or optional value of such", "");
    };
  }

  private static Optional<PrimExpr> number(Dimension dimension) {
    return dimension instanceof Dimension.Value(long extent) && extent >= 0
        ? Optional.of(IntImm.of(extent))
        : Optional.empty();
  }

  private static DType dtype(String input, int elementType) {
    ElementType element = ElementType.of(elementType);
    DType dtype = element.dtype();
    if (dtype == null) {
      throw unsupported(input, "has elements of type " + element.string(), "");
    }
    return dtype;
  }

  private TensorType tensorType(String name, TypeProto.OfTensor type) {
    model.checkRank(type.shape().map(List::size).orElse(0));
    return TensorType.of(dtype(name, type.elementType()), extents(name, type.shape()));
  }

  private List<PrimExpr> extents(String name, Optional<List<Dimension>> shape) {
    List<Long> given = model.options.shapes().get(name);
    if (given != null) {
      return given.stream().map(n -> (PrimExpr) IntImm.of(n)).toList();
    }
    List<Dimension> dims =
        shape.orElseThrow(
            () ->
                unsupported(
                    name,
                    "has an unknown number of axes",
                    "give it a shape: --shape " + name + "=1x3x224x224"));
    List<PrimExpr> extents = new ArrayList<>();
    for (int axis = 0; axis < dims.size(); axis++) {
      extents.add(extent(dims.get(axis), name + "_" + axis));
    }
    return extents;
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
    if (isNameless(text)) {
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

  private Optional<List<Expr>> results(List<Operand> values) {
    List<Expr> results = new ArrayList<>();
    for (int i = 0; i < values.size(); i++) {
      Operand value = values.get(i);
      String output = outputs.get(i);
      if (value instanceof Operand.Unavailable) {
        return Optional.empty();
      }
      try {
        results.add(result(value, Names.identifier(output, "result"), values.size() == 1));
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

  /** A sequence that is the only output is one value, not as many outputs as it has elements. */
  private Expr result(Operand value, String hint, boolean isOnly) {
    Expr packed = importer.values.packed(value, hint);
    if (!isOnly || !(packed.type() instanceof TupleType(List<Type> fields))) {
      return packed;
    }
    List<Expr> elements = new ArrayList<>();
    for (int i = 0; i < fields.size(); i++) {
      elements.add(model.builder.emit(new TupleGetItem(packed, i), hint));
    }
    return model.builder.emit(
        CallOps.callPurePacked("vm.builtin.make_tuple", elements, AnyType.ANY), hint);
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
