package org.relaxvm.interoponnx.convert;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.interoponnx.data.TensorData;
import org.relaxvm.interoponnx.options.OnnxFinding;
import org.relaxvm.interoponnx.options.OnnxLimits;
import org.relaxvm.interoponnx.options.OnnxOptions;
import org.relaxvm.interoponnx.proto.FunctionProto;
import org.relaxvm.interoponnx.proto.TensorProto;
import org.relaxvm.interoponnx.value.Known;
import org.relaxvm.interoponnx.value.Operand;

/** What all graphs of a model share while it is imported. Not thread-safe. */
final class ModelContext {
  final BlockBuilder builder = new BlockBuilder();
  final OperatorTable operators;
  final OnnxOptions options;
  final TensorData data;
  final Symbols symbols;
  final List<OnnxFinding> findings = new ArrayList<>();
  final Parameters parameters = new Parameters(builder);

  /** The inputs whose values must be known: they decide axes. */
  final Set<String> deciding = new TreeSet<>();

  /** Whether a tensor is used whose file does not exist. */
  boolean usesMissing;

  private final Set<String> missing = new TreeSet<>();

  private long translated;
  private int depth;
  private long made;

  private final Map<FunctionKey, FunctionProto> functions = new HashMap<>();
  private final Map<TensorProto, Constant> constants = new IdentityHashMap<>();
  private final Map<TensorProto, Optional<Known>> known = new IdentityHashMap<>();

  private record FunctionKey(String domain, String name, String overload) {}

  ModelContext(
      OperatorTable operators,
      OnnxOptions options,
      TensorData data,
      List<FunctionProto> functions) {
    this.operators = operators;
    this.options = options;
    this.data = data;
    this.symbols = new Symbols(options.extents());
    for (FunctionProto function : functions) {
      this.functions.put(
          new FunctionKey(function.domain(), function.name(), function.overload()), function);
    }
    operators.problems().forEach(problem -> warn("", problem, "replace or remove the jar"));
  }

  Optional<FunctionProto> function(String domain, String name, String overload) {
    return Optional.ofNullable(functions.get(new FunctionKey(domain, name, overload)));
  }

  /**
   * The constant of a tensor of the file, the same one each time; of one whose file does not exist
   * the type alone, with other elements.
   */
  Constant constant(Operand.Weight weight) {
    return constants.computeIfAbsent(
        weight.proto(),
        proto ->
            new Constant(
                isMissing(proto)
                    ? Tensor.deferred(weight.dtype(), weight.shape(), target -> {})
                    : data.tensor(proto, weight.where())));
  }

  /** Whether a tensor is in a file that does not exist, which is noted. */
  boolean isMissing(TensorProto tensor) {
    Optional<String> file = data.missingFile(tensor);
    file.ifPresent(missing::add);
    return file.isPresent();
  }

  /** Reports all files that do not exist, if a tensor in one of them is used. */
  void reportMissing(String name) {
    if (usesMissing) {
      String files = missing.size() == 1 ? "1 external file" : missing.size() + " external files";
      findings.add(
          new OnnxFinding(
              OnnxFinding.Severity.ERROR,
              "",
              "",
              files + " not found beside " + name + ": " + String.join(", ", missing),
              "put all files of the model into one folder"));
    }
  }

  /** The elements of a tensor of the file, if they are few. */
  Optional<Known> known(Operand.Weight weight) {
    return known.computeIfAbsent(
        weight.proto(),
        proto ->
            Known.admits(weight.dtype(), weight.shape())
                ? Optional.of(Known.of(tensor(weight)))
                : Optional.empty());
  }

  private Tensor tensor(Operand.Weight weight) {
    return constant(weight).data();
  }

  /** The findings, each once: parts of a graph may be translated more than once. */
  List<OnnxFinding> distinctFindings() {
    return List.copyOf(new LinkedHashSet<>(findings));
  }

  /** What types have in common where bindings go now. */
  ValueTypes valueTypes() {
    return new ValueTypes(builder.analyzer(), Set.copyOf(builder.symbols()));
  }

  // ---------------------------------------------------------------- limits

  private OnnxLimits limits() {
    return options.limits();
  }

  /** Counts a node that is translated. */
  void countNode() {
    if (++translated > limits().maxNodes()) {
      throw beyond(
          "takes more than "
              + limits().maxNodes()
              + " nodes, those of functions and of loops that are unrolled counted each time",
          "unroll less (OnnxOptions.withMaxUnroll), or allow more (OnnxLimits.withMaxNodes)");
    }
  }

  /** Begins a subgraph or a call, which {@link #leave} ends. */
  void enter(String path) {
    if (depth >= limits().maxDepth()) {
      throw beyond(
          "has subgraphs and calls of functions more than "
              + limits().maxDepth()
              + " levels deep, at "
              + Names.abbreviated(path),
          "make it flatter, or allow more (OnnxLimits.withMaxDepth)");
    }
    depth++;
  }

  void leave() {
    depth--;
  }

  /**
   * Counts a constant that is about to be made.
   *
   * @param bytes of an element
   * @return the number of elements
   */
  int reserve(long elements, int bytes) {
    long left = Math.min(limits().maxConstantBytes() - made, Integer.MAX_VALUE);
    if (elements < 0 || elements > left / bytes) {
      throw beyond(
          "makes constants of more than "
              + limits().maxConstantBytes()
              + " bytes together, such as dense forms of sparse tensors",
          "store them in the model, or allow more (OnnxLimits.withMaxConstantBytes)");
    }
    made += elements * bytes;
    return (int) elements;
  }

  /** Refuses tensors of too many axes. */
  void checkRank(int rank) {
    if (rank > limits().maxRank()) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "a tensor has "
              + rank
              + " axes; expected "
              + limits().maxRank()
              + " at most\n  what to do: allow more (OnnxLimits.withMaxRank)");
    }
  }

  private static MalformedFileException beyond(String what, String remedy) {
    return new MalformedFileException(
        ErrorKind.VALUE, "the ONNX model " + what + "\n  what to do: " + remedy);
  }

  void warn(String node, String problem, String remedy) {
    findings.add(new OnnxFinding(OnnxFinding.Severity.WARNING, "", node, problem, remedy));
  }
}
