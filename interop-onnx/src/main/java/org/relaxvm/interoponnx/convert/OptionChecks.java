package org.relaxvm.interoponnx.convert;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.interoponnx.data.ElementType;
import org.relaxvm.interoponnx.options.OnnxOptions;
import org.relaxvm.interoponnx.proto.GraphProto;
import org.relaxvm.interoponnx.proto.NodeProto;
import org.relaxvm.interoponnx.proto.TensorProto;
import org.relaxvm.interoponnx.proto.TypeProto;
import org.relaxvm.interoponnx.proto.TypeProto.Dimension;
import org.relaxvm.interoponnx.proto.ValueInfoProto;

/** Checks that options are about what a model has. */
final class OptionChecks {
  private final GraphProto graph;
  private final OnnxOptions options;

  private OptionChecks(GraphProto graph, OnnxOptions options) {
    this.graph = graph;
    this.options = options;
  }

  /**
   * Checks shapes, values and outputs.
   *
   * @throws InvalidProgramException when one is about something that the model does not have, or
   *     contradicts what the model says of an input
   */
  static void require(GraphProto graph, OnnxOptions options) {
    OptionChecks checks = new OptionChecks(graph, options);
    options.shapes().forEach(checks::shape);
    options.values().forEach(checks::value);
    if (!options.outputs().isEmpty()) {
      checks.outputs();
    }
  }

  /**
   * Checks that each number for a symbolic extent is used.
   *
   * @param known the names of all symbolic extents of the model
   */
  static void requireUsed(Map<String, Long> extents, Set<String> known) {
    extents.forEach(
        (name, extent) -> {
          if (!known.contains(name)) {
            throw new InvalidProgramException(
                ErrorKind.VALUE,
                "the model has no symbolic extent '"
                    + name
                    + "'\n  got: "
                    + name
                    + "="
                    + extent
                    + "\n  its symbolic extents: "
                    + (known.isEmpty()
                        ? "none"
                        : known.stream().sorted().collect(Collectors.joining(", ")))
                    + "\n  what to do: name one of them, or give an input a shape");
          }
        });
  }

  private ValueInfoProto input(String name) {
    return graph.inputs().stream()
        .filter(input -> input.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidProgramException(
                    ErrorKind.VALUE,
                    "the model has no input '"
                        + name
                        + "'\n  its inputs: "
                        + graph.inputs().stream()
                            .map(ValueInfoProto::name)
                            .collect(Collectors.joining(", "))
                        + "\n  what to do: name one of them"));
  }

  private void shape(String name, List<Long> shape) {
    switch (input(name).type()) {
      case TypeProto.OfTensor tensor -> rank(name, shape, tensor.shape());
      default ->
          throw new InvalidProgramException(
              ErrorKind.TYPE, "the input '" + name + "' is no tensor, so it has no shape");
    }
  }

  private static void rank(String name, List<Long> given, Optional<List<Dimension>> declared) {
    if (declared.isPresent() && declared.get().size() != given.size()) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "the input '"
              + name
              + "' has "
              + axes(declared.get().size())
              + "; the shape given for it has "
              + given.size()
              + "\n  expected: "
              + text(declared.get())
              + "\n  got: "
              + given);
    }
  }

  private static String axes(int count) {
    return count == 1 ? "1 axis" : count + " axes";
  }

  private static String text(List<Dimension> dims) {
    return dims.stream()
        .map(
            dim ->
                switch (dim) {
                  case Dimension.Value(long extent) -> Long.toString(extent);
                  case Dimension.Param(String symbol) -> symbol;
                  case Dimension.Unspecified unspecified -> "?";
                })
        .collect(Collectors.joining(", ", "[", "]"));
  }

  private void value(String name, Tensor value) {
    TypeProto type = input(name).type();
    if (type instanceof TypeProto.OfOptional) {
      return;
    }
    if (!(type instanceof TypeProto.OfTensor tensor)) {
      throw new InvalidProgramException(
          ErrorKind.TYPE, "the input '" + name + "' is no tensor, so no value can replace it");
    }
    DType dtype = ElementType.of(tensor.elementType()).dtype();
    boolean fits =
        (dtype == null || dtype.equals(value.dtype()))
            && tensor.shape().stream().allMatch(dims -> fits(dims, value.shape()));
    if (!fits) {
      throw new InvalidProgramException(
          ErrorKind.TYPE,
          "the value for the input '"
              + name
              + "' is not of its type\n  expected: "
              + dtype
              + tensor.shape().map(OptionChecks::text).orElse("[...]")
              + "\n  got: "
              + value.dtype()
              + value.shape());
    }
  }

  private static boolean fits(List<Dimension> dims, Shape shape) {
    if (dims.size() != shape.rank()) {
      return false;
    }
    for (int axis = 0; axis < dims.size(); axis++) {
      if (dims.get(axis) instanceof Dimension.Value(long extent)
          && extent >= 0
          && extent != shape.dim(axis)) {
        return false;
      }
    }
    return true;
  }

  private void outputs() {
    Set<String> known = new HashSet<>();
    graph.inputs().forEach(input -> known.add(input.name()));
    graph.initializers().stream().map(TensorProto::name).forEach(known::add);
    graph.nodes().stream().map(NodeProto::outputs).forEach(known::addAll);
    for (String output : options.outputs()) {
      if (output.isEmpty() || !known.contains(output)) {
        throw new InvalidProgramException(
            ErrorKind.VALUE,
            "the model has no value '"
                + output
                + "' that could be an output\n  its outputs: "
                + graph.outputs().stream()
                    .map(ValueInfoProto::name)
                    .collect(Collectors.joining(", "))
                + "\n  what to do: name outputs, or results of nodes");
      }
    }
  }
}
