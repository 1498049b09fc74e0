package org.relaxvm.interoponnx.cases;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.relaxvm.interoponnx.proto.AttributeProto.AttributeValue;
import org.relaxvm.interoponnx.proto.FunctionProto;
import org.relaxvm.interoponnx.proto.GraphProto;
import org.relaxvm.interoponnx.proto.ModelProto;
import org.relaxvm.interoponnx.proto.NodeProto;

/**
 * Which values of a graph depend on random numbers. Generators differ, so expected results that
 * depend on them say little. Used once for each graph. Not thread-safe.
 */
final class RandomResults {
  private static final Set<String> RANDOM =
      Set.of(
          "RandomNormal", "RandomNormalLike", "RandomUniform", "RandomUniformLike", "Multinomial");
  private static final Set<String> BOOLEAN =
      Set.of(
          "Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual", "And", "Or", "Xor", "Not");
  private static final Set<String> SAME_ELEMENTS =
      Set.of("Cast", "CastLike", "Identity", "Reshape", "Flatten", "Squeeze", "Unsqueeze");
  private static final Set<String> OF_TYPE = Set.of("Shape", "Size");
  private static final int TRAINING_MODE = 12;

  private final Map<String, Determination> values = new HashMap<>();
  private final Map<String, FunctionProto> functions = new HashMap<>();
  private final Set<FunctionProto> open = new HashSet<>();
  private final Function<String, Optional<Double>> numbers;
  private final long version;

  private RandomResults(ModelProto model, Function<String, Optional<Double>> numbers) {
    this.numbers = numbers;
    this.version = model.opsets().getOrDefault("", 1L);
    for (FunctionProto function : model.functions()) {
      functions.put(function.domain() + "::" + function.name(), function);
    }
  }

  /**
   * What is determined of each output, in order.
   *
   * @param numbers the number that an input or initializer with one element is; empty for others
   */
  static List<Determination> of(ModelProto model, Function<String, Optional<Double>> numbers) {
    RandomResults results = new RandomResults(model, numbers);
    results.visit(model.graph().nodes());
    return model.graph().outputs().stream().map(output -> results.value(output.name())).toList();
  }

  private Determination value(String name) {
    return values.getOrDefault(name, Determination.ALL);
  }

  /** Nodes may be in any order: each pass lessens values, until none changes. */
  private void visit(List<NodeProto> nodes) {
    boolean changes = true;
    while (changes) {
      changes = false;
      for (NodeProto node : nodes) {
        for (int i = 0; i < node.outputs().size(); i++) {
          String output = node.outputs().get(i);
          Determination before = value(output);
          Determination after = before.and(output(node, i));
          changes |= after != before;
          values.put(output, after);
        }
      }
    }
  }

  private Determination output(NodeProto node, int index) {
    Determination inputs =
        node.inputs().stream().map(this::value).reduce(Determination.ALL, Determination::and);
    if (isRandom(node)) {
      return Determination.TYPE;
    }
    if (!node.domain().isEmpty()) {
      return ofAny(inputs);
    }
    return switch (node.opType()) {
      case "Bernoulli" -> Determination.ZERO_OR_ONE;
      case "Dropout" -> trains(node) ? dropped(inputs, index) : ofAny(inputs);
      case String operator when OF_TYPE.contains(operator) -> Determination.ALL;
      case String operator when SAME_ELEMENTS.contains(operator) -> value(node.inputs().getFirst());
      case String operator when BOOLEAN.contains(operator) ->
          inputs == Determination.ALL ? Determination.ALL : Determination.ZERO_OR_ONE;
      default -> ofAny(inputs);
    };
  }

  /** Of the results of dropout the second one is the mask. */
  private static Determination dropped(Determination inputs, int index) {
    if (index == 1) {
      return Determination.ZERO_OR_ONE;
    }
    return inputs == Determination.ALL ? Determination.UNLESS_ZERO : Determination.TYPE;
  }

  private static Determination ofAny(Determination inputs) {
    return inputs == Determination.ALL ? Determination.ALL : Determination.TYPE;
  }

  /** Whether nothing but the types of the outputs of a node can be known. */
  private boolean isRandom(NodeProto node) {
    FunctionProto function = functions.get(node.domain() + "::" + node.opType());
    if (function != null) {
      return containsRandom(function);
    }
    return (node.domain().isEmpty() && RANDOM.contains(node.opType()))
        || subgraphs(node).anyMatch(graph -> graph.nodes().stream().anyMatch(this::isRandomInside));
  }

  /** A subgraph sees the values around it. */
  private boolean isRandomInside(NodeProto node) {
    return node.inputs().stream().anyMatch(name -> value(name) != Determination.ALL)
        || isRandomAnywhere(node);
  }

  private boolean containsRandom(FunctionProto function) {
    if (!open.add(function)) {
      return false;
    }
    boolean found = function.nodes().stream().anyMatch(this::isRandomAnywhere);
    open.remove(function);
    return found;
  }

  private boolean isRandomAnywhere(NodeProto node) {
    boolean mayDrop =
        node.opType().equals("Dropout") && version >= TRAINING_MODE && node.inputs().size() > 2;
    return isRandom(node) || node.opType().equals("Bernoulli") || mayDrop;
  }

  private static Stream<GraphProto> subgraphs(NodeProto node) {
    return node.attributes().stream()
        .flatMap(
            attribute ->
                attribute.value() instanceof AttributeValue.OfGraph(GraphProto graph)
                    ? Stream.of(graph)
                    : Stream.empty());
  }

  /** Whether dropout leaves elements out: it is in training mode, and its ratio is not 0. */
  private boolean trains(NodeProto node) {
    List<String> inputs = node.inputs();
    boolean mayTrain = version >= TRAINING_MODE && inputs.size() > 2 && !inputs.get(2).isEmpty();
    return mayTrain && !isZero(inputs.get(2)) && !isZero(inputs.get(1));
  }

  private boolean isZero(String name) {
    return numbers.apply(name).map(number -> number == 0).orElse(false);
  }
}
