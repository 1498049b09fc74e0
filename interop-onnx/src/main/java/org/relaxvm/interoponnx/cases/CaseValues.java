package org.relaxvm.interoponnx.cases;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.StringTensor;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.interoponnx.data.ElementType;
import org.relaxvm.interoponnx.data.ExternalData;
import org.relaxvm.interoponnx.data.TensorData;
import org.relaxvm.interoponnx.proto.ModelProto;
import org.relaxvm.interoponnx.proto.TensorProto;
import org.relaxvm.interoponnx.proto.TypeProto;
import org.relaxvm.interoponnx.proto.WireMessage;

/** Values of cases: tensors, sequences as tuples, and optional values, absent ones as null. */
final class CaseValues {
  private final TensorData data = new TensorData(new ExternalData(Path.of("")));

  /** The value of a file, whose kind follows from the type of the input or output. */
  @Nullable Object value(MemorySegment file, TypeProto type, String where) {
    return value(WireMessage.of(file), type, where);
  }

  /**
   * The number that a value of a graph with one element is.
   *
   * @param given values of inputs by their names
   * @return empty for a value that is neither given nor an initializer, or has not one element
   */
  Optional<Double> number(ModelProto model, Map<String, Tensor> given, String name) {
    Optional<Tensor> tensor =
        given.containsKey(name)
            ? Optional.of(given.get(name))
            : model.graph().initializers().stream()
                .filter(initializer -> initializer.name().equals(name))
                .findFirst()
                .map(initializer -> data.tensor(initializer, "initializer '" + name + "'"));
    return tensor
        .filter(value -> value.elementCount() == 1)
        .map(value -> value.dtype().isFloat() ? value.toDoubleArray()[0] : value.toLongArray()[0]);
  }

  private @Nullable Object value(WireMessage message, TypeProto type, String where) {
    return switch (type) {
      case TypeProto.OfSequence(TypeProto element) -> sequence(message, element, where);
      case TypeProto.OfOptional(TypeProto element) -> optional(message, element, where);
      default -> tensor(TensorProto.of(message), where);
    };
  }

  private Object tensor(TensorProto tensor, String where) {
    return ElementType.of(tensor.dataType()) == ElementType.STRING
        ? new StringTensor(TensorData.shape(tensor, where), data.strings(tensor, where)).toTuple()
        : data.tensor(tensor, where);
  }

  /** Fields of sequences: tensors 3, sparse tensors 4, sequences 5, maps 6, optional values 7. */
  private Tuple sequence(WireMessage message, TypeProto element, String where) {
    int field =
        switch (element) {
          case TypeProto.OfSequence inner -> 5;
          case TypeProto.OfOptional inner -> 7;
          case TypeProto.OfTensor tensor -> 3;
          default -> throw unknown(where);
        };
    List<@Nullable Object> elements = new ArrayList<>();
    for (WireMessage value : message.messages(field)) {
      elements.add(value(value, element, where));
    }
    return Tuple.of(elements.toArray());
  }

  /** Fields of optional values: a tensor 3, a sequence 5, an optional value 7. */
  private @Nullable Object optional(WireMessage message, TypeProto element, String where) {
    int field =
        switch (element) {
          case TypeProto.OfSequence inner -> 5;
          case TypeProto.OfOptional inner -> 7;
          case TypeProto.OfTensor tensor -> 3;
          default -> throw unknown(where);
        };
    WireMessage value = message.message(field);
    return value == null ? null : value(value, element, where);
  }

  private static MalformedFileException unknown(String where) {
    return new MalformedFileException(
        ErrorKind.TYPE, where + " is neither a tensor nor a sequence of tensors");
  }
}
