package org.relaxvm.interoponnx.convert;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.interoponnx.data.ElementType;
import org.relaxvm.interoponnx.data.TensorData;
import org.relaxvm.interoponnx.options.OnnxFinding;
import org.relaxvm.interoponnx.proto.AttributeProto;
import org.relaxvm.interoponnx.proto.FunctionProto;
import org.relaxvm.interoponnx.proto.GraphProto;
import org.relaxvm.interoponnx.proto.NodeProto;
import org.relaxvm.interoponnx.proto.SparseTensorProto;
import org.relaxvm.interoponnx.proto.TensorProto;
import org.relaxvm.interoponnx.proto.ValueInfoProto;
import org.relaxvm.interoponnx.value.Known;
import org.relaxvm.interoponnx.value.Operand;

/**
 * Translates the nodes of graphs, in order. A node that is not supported is reported, and its
 * outputs are unavailable; nodes that need those are skipped, so that one run finds all that is
 * wrong. Not thread-safe.
 */
final class GraphImporter {
  /** The newest version of {@code ai.onnx} that operators are written for. */
  static final long NEWEST = 28;

  private static final String WITHOUT_IT =
      "export the model without it, or name outputs that do not need it (--outputs A,B)";

  final ModelContext model;
  final Tensors tensors;
  final Values values;
  final Branches branches;
  private final Copies copies;
  private final Set<FunctionProto> open = Collections.newSetFromMap(new IdentityHashMap<>());
  private final Map<Operand, Runnable> uses = new IdentityHashMap<>();
  private final Set<NodeProto> seen = Collections.newSetFromMap(new IdentityHashMap<>());

  private final long expected;

  /**
   * @param expected how many nodes there are to translate, for the listener
   */
  GraphImporter(ModelContext model, long expected) {
    this.model = model;
    this.expected = expected;
    this.tensors = new Tensors(model, this);
    this.values = new Values(model, this);
    this.branches = new Branches(model, this);
    this.copies = new Copies(model, this);
  }

  /** The number of nodes that were translated or reported. */
  long nodes() {
    return seen.size();
  }

  /** The copies of parts of graphs. */
  Copies copies() {
    return copies;
  }

  Expr emit(Expr value, String hint) {
    return value instanceof RelaxVar || value instanceof Constant
        ? value
        : tensors.withDims(model.builder.emit(value, hint), hint);
  }

  /** Runs an action whose bindings are dropped, and what it reports unless there is an error. */
  <T> T trial(Supplier<T> action) {
    int before = model.findings.size();
    int count = copies.count();
    List<T> result = new ArrayList<>();
    branches.sequence(
        () -> {
          result.add(action.get());
          return Tuple.EMPTY;
        });
    copies.reset(count);
    List<OnnxFinding> reported = model.findings.subList(before, model.findings.size());
    if (reported.stream().noneMatch(f -> f.severity() == OnnxFinding.Severity.ERROR)) {
      reported.clear();
    }
    return result.getFirst();
  }

  // ---------------------------------------------------------------- graphs

  /**
   * Translates a subgraph.
   *
   * @param arguments of its inputs, by position
   * @return its outputs
   */
  List<Operand> graph(GraphProto graph, List<Operand> arguments, Scope scope) {
    List<ValueInfoProto> inputs = graph.inputs();
    if (inputs.size() != arguments.size()) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "the subgraph '"
              + graph.name()
              + "' has "
              + inputs.size()
              + " inputs; expected "
              + arguments.size());
    }
    for (int i = 0; i < inputs.size(); i++) {
      scope.define(inputs.get(i).name(), arguments.get(i));
    }
    List<String> outputs = graph.outputs().stream().map(ValueInfoProto::name).toList();
    model.enter(scope.path());
    try {
      initializers(graph, scope);
      return results(graph.nodes(), outputs, scope);
    } finally {
      model.leave();
    }
  }

  /** Defines the initializers of a graph. */
  void initializers(GraphProto graph, Scope scope) {
    for (TensorProto tensor : graph.initializers()) {
      scope.define(tensor.name(), weight(tensor, "the initializer '" + tensor.name() + "'"));
    }
    for (SparseTensorProto tensor : graph.sparseInitializers()) {
      String name = tensor.values().name();
      scope.define(name, sparse(tensor, "the sparse initializer '" + name + "'"));
    }
  }

  /** A sparse tensor of the file, as a dense one. */
  Operand sparse(SparseTensorProto tensor, String where) {
    if (model.isMissing(tensor.values()) | model.isMissing(tensor.indices())) {
      return missing(new Operand.Unavailable());
    }
    return constant(new Constant(SparseTensors.dense(tensor, model, where)));
  }

  /** A constant as an operand. */
  static Operand constant(Constant constant) {
    return new Operand.Computed(constant, constant.tensorType());
  }

  /** A tensor of the file. */
  Operand weight(TensorProto tensor, String where) {
    ElementType type = ElementType.of(tensor.dataType());
    if (type == ElementType.STRING) {
      return new Operand.Strings(
          TensorData.shape(tensor, where), model.data.strings(tensor, where));
    }
    DType dtype = type.dtype();
    model.checkRank(tensor.dims().length);
    if (dtype == null) {
      throw new MalformedFileException(
          ErrorKind.VALUE,
          "malformed ONNX model: "
              + where
              + " has the element type "
              + tensor.dataType()
              + "; ONNX has 1 to "
              + (ElementType.values().length - 1));
    }
    Shape shape = TensorData.shape(tensor, where);
    Operand weight = new Operand.Weight(tensor, where, dtype, shape);
    if (!model.isMissing(tensor)) {
      return weight;
    }
    // Nodes may depend on the elements of small tensors; of larger ones they need the type alone.
    return missing(Known.isSmall(shape) ? new Operand.Unavailable() : weight);
  }

  /** A tensor in a file that does not exist, which is reported if the tensor is used. */
  private Operand missing(Operand tensor) {
    uses.put(tensor, () -> model.usesMissing = true);
    return tensor;
  }

  /** Translates the nodes that some values need, and gives these values. */
  List<Operand> results(List<NodeProto> nodes, List<String> wanted, Scope scope) {
    return results(NodeOrder.sorted(nodes, wanted), 0, wanted, scope);
  }

  /** Translates sorted nodes from one on. */
  List<Operand> results(List<NodeProto> sorted, int first, List<String> wanted, Scope scope) {
    for (int at = first; at < sorted.size(); at++) {
      try {
        translate(sorted.get(at), scope);
      } catch (Split split) {
        if (!scope.isFrame()) {
          throw split;
        }
        return copies.ofRest(split, sorted, at, wanted, scope);
      }
    }
    return wanted.stream().map(name -> output(name, scope)).toList();
  }

  private Operand output(String name, Scope scope) {
    if (scope.find(name).isEmpty()) {
      String graph = scope.path().replaceFirst("/$", "");
      String problem = "nothing makes the output '" + name + "'";
      model.findings.add(
          new OnnxFinding(OnnxFinding.Severity.ERROR, "", graph, problem, WITHOUT_IT));
      return new Operand.Unavailable();
    }
    return value(name, scope);
  }

  private void translate(NodeProto node, Scope scope) {
    List<String> outer = model.builder.sourceNodes();
    model.builder.setSourceNodes(List.of(scope.path() + label(node)));
    List<Operand> results;
    try {
      results = node(node, scope);
    } finally {
      model.builder.setSourceNodes(outer);
    }
    boolean isReported = results.stream().anyMatch(Operand.Unavailable.class::isInstance);
    List<String> outputs = node.outputs();
    for (int i = 0; i < outputs.size(); i++) {
      String output = outputs.get(i);
      if (i < results.size()) {
        scope.define(output, results.get(i));
      } else if (!output.isEmpty()) {
        scope.define(output, isReported ? new Operand.Unavailable() : absent(output, node, scope));
      }
    }
  }

  /** An output that the operator does not give, which is reported where it is used. */
  private Operand absent(String output, NodeProto node, Scope scope) {
    Operand absent = new Operand.Unavailable();
    uses.put(
        absent,
        () ->
            report(
                node,
                scope,
                version(node, scope),
                "it does not give the output '" + output + "'",
                WITHOUT_IT));
    return absent;
  }

  /** The outputs of a node that was reported or skipped. */
  static List<Operand> unavailable(NodeProto node) {
    return Collections.nCopies(node.outputs().size(), new Operand.Unavailable());
  }

  /**
   * The value of a name, which is used.
   *
   * @throws InvalidProgramException when there is none
   */
  Operand value(String name, Scope scope) {
    Operand value =
        scope
            .find(name)
            .orElseThrow(
                () ->
                    new InvalidProgramException(
                        ErrorKind.VALUE, "nothing makes its input '" + name + "'"));
    return used(value);
  }

  /** Reports what is wrong with a value that is used. */
  Operand used(Operand value) {
    uses.getOrDefault(value, () -> {}).run();
    return value;
  }

  // ---------------------------------------------------------------- nodes

  private List<Operand> node(NodeProto node, Scope scope) {
    seen.add(node);
    model.countNode();
    model.options.progress().report("importing", Math.min(seen.size(), expected), expected);
    long version = version(node, scope);
    try {
      Optional<FunctionProto> function =
          model.function(node.domain(), node.opType(), node.overload());
      if (function.isPresent()) {
        return call(function.get(), node, scope);
      }
      Optional<OperatorTable.Entry> operator = operator(node);
      if (operator.isEmpty()) {
        reportMissing(node, scope, version);
        return unavailable(node);
      }
      return translated(operator.get(), new NodeContext(this, scope, node, version));
    } catch (Tensors.Unavailable e) {
      return unavailable(node);
    } catch (Undecided e) {
      model.deciding.addAll(e.inputs());
      return unavailable(node);
    } catch (InvalidProgramException | CallException e) {
      report(node, scope, version, e.problem(), e.remedy().orElse(""));
      return unavailable(node);
    }
  }

  /** Reports what keeps a node from being translated. */
  void report(NodeProto node, Scope scope, InvalidProgramException problem) {
    report(node, scope, version(node, scope), problem.problem(), problem.remedy().orElse(""));
  }

  private List<Operand> translated(OperatorTable.Entry operator, NodeContext node) {
    for (int i = 0; i < node.inputs(); i++) {
      if (node.has(i) && node.operand(i) instanceof Operand.Unavailable) {
        throw new Tensors.Unavailable();
      }
    }
    List<Operand> results = LowBits.translated(operator, node);
    for (Operand result : results) {
      if (result instanceof Known known) {
        model.checkRank(known.shape().rank());
      }
    }
    return results;
  }

  /** ONNX Runtime writes some of its operators without their domain. */
  private Optional<OperatorTable.Entry> operator(NodeProto node) {
    return model
        .operators
        .find(node.domain(), node.opType())
        .or(
            () ->
                node.domain().isEmpty()
                    ? model.operators.find(OperatorTable.MICROSOFT, node.opType())
                    : Optional.empty());
  }

  private void reportMissing(NodeProto node, Scope scope, long version) {
    OperatorTable operators = model.operators;
    String domain = node.domain();
    String problem =
        operators
            .refusal(domain, node.opType())
            .or(
                () ->
                    domain.isEmpty()
                        ? operators.refusal(OperatorTable.MICROSOFT, node.opType())
                        : Optional.empty())
            .orElse("the operator is not supported");
    report(
        node,
        scope,
        version,
        problem,
        operators.hasDomain(domain)
            ? WITHOUT_IT
            : "add a jar with an OnnxOperatorProvider of it, or " + WITHOUT_IT);
  }

  private static long version(NodeProto node, Scope scope) {
    long version = scope.version(node.domain()).orElse(1L);
    return node.domain().isEmpty() ? Math.min(version, NEWEST) : version;
  }

  void report(NodeProto node, Scope scope, long version, String problem, String remedy) {
    String domain = node.domain().isEmpty() ? "" : node.domain() + ".";
    model.findings.add(
        new OnnxFinding(
            OnnxFinding.Severity.ERROR,
            domain + node.opType() + " (" + version + ")",
            scope.path() + label(node),
            problem,
            remedy));
  }

  /** A node in messages. */
  String label(NodeProto node) {
    if (!node.name().isEmpty()) {
      return Names.abbreviated(node.name());
    }
    String output = node.outputs().isEmpty() ? "" : " of '" + node.outputs().getFirst() + "'";
    return Names.abbreviated(node.opType() + output);
  }

  private List<Operand> call(FunctionProto function, NodeProto node, Scope scope) {
    if (node.inputs().size() > function.inputs().size()) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "the function "
              + function.name()
              + " has "
              + function.inputs().size()
              + " inputs; the node gives "
              + node.inputs().size());
    }
    if (!open.add(function)) {
      throw new InvalidProgramException(
          ErrorKind.VALUE, "the function " + function.name() + " calls itself");
    }
    model.enter(scope.path());
    try {
      Scope inside =
          scope.function(
              label(node),
              node.outputs().isEmpty() ? node.name() : node.outputs().getFirst(),
              function.opsets(),
              arguments(function, node, scope));
      for (int i = 0; i < function.inputs().size(); i++) {
        if (i < node.inputs().size() && !node.inputs().get(i).isEmpty()) {
          inside.define(function.inputs().get(i), value(node.inputs().get(i), scope));
        } else {
          inside.define(function.inputs().get(i), new Operand.Maybe(Optional.empty()));
        }
      }
      return results(function.nodes(), function.outputs(), inside);
    } finally {
      model.leave();
      open.remove(function);
    }
  }

  private static Map<String, AttributeProto> arguments(
      FunctionProto function, NodeProto node, Scope scope) {
    Map<String, AttributeProto> arguments = new HashMap<>();
    for (AttributeProto attribute : function.attributeDefaults()) {
      arguments.put(attribute.name(), attribute);
    }
    for (AttributeProto attribute : node.attributes()) {
      Attributes.resolved(attribute, scope)
          .ifPresent(
              value ->
                  arguments.put(attribute.name(), new AttributeProto(attribute.name(), value, "")));
    }
    return arguments;
  }
}
