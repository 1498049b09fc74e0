package org.relaxvm.interoponnx.proto;

import static org.relaxvm.interoponnx.proto.WireMessage.bytesField;
import static org.relaxvm.interoponnx.proto.WireMessage.integerField;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The type of a value. Immutable. */
public sealed interface TypeProto {
  /**
   * A tensor.
   *
   * @param elementType its number in the format; 0 when it is not known
   * @param shape empty when the rank is not known
   */
  record OfTensor(int elementType, Optional<List<Dimension>> shape) implements TypeProto {}

  /** A sparse tensor. */
  record OfSparseTensor(int elementType, Optional<List<Dimension>> shape) implements TypeProto {}

  /** A sequence. */
  record OfSequence(TypeProto element) implements TypeProto {}

  /** A map from numbers or strings. */
  record OfMap(int keyType, TypeProto value) implements TypeProto {}

  /** A value that may be absent. */
  record OfOptional(TypeProto element) implements TypeProto {}

  /**
   * A type that this project does not know, or none.
   *
   * @param field its field in the message, or 0
   */
  record Unknown(int field) implements TypeProto {}

  /** An extent. */
  sealed interface Dimension {
    /** A number. */
    record Value(long extent) implements Dimension {}

    /** A name, or an expression. */
    record Param(String text) implements Dimension {}

    /** Nothing is said. */
    record Unspecified() implements Dimension {}
  }

  /** The type that a message tells. */
  static TypeProto of(WireMessage type) {
    int[] alternatives = {
      bytesField(1), bytesField(4), bytesField(5), bytesField(7), bytesField(8), bytesField(9)
    };
    int field = type.oneOf(alternatives);
    WireMessage content = type.messageOf(field, alternatives);
    if (content == null) {
      return new Unknown(0);
    }
    return switch (field) {
      case 1 -> new OfTensor((int) content.integer(1), shape(content.message(2)));
      case 4 -> new OfSequence(element(content.message(1)));
      case 5 -> new OfMap((int) content.integer(1), element(content.message(2)));
      case 8 -> new OfSparseTensor((int) content.integer(1), shape(content.message(2)));
      case 9 -> new OfOptional(element(content.message(1)));
      default -> new Unknown(field);
    };
  }

  private static TypeProto element(@Nullable WireMessage type) {
    return type == null ? new Unknown(0) : of(type);
  }

  private static Optional<List<Dimension>> shape(@Nullable WireMessage shape) {
    return shape == null ? Optional.empty() : Optional.of(shape.messages(1, TypeProto::dimension));
  }

  private static Dimension dimension(WireMessage dim) {
    return switch (dim.oneOf(integerField(1), bytesField(2))) {
      case 1 -> new Dimension.Value(dim.integer(1));
      case 2 -> new Dimension.Param(dim.string(2));
      default -> new Dimension.Unspecified();
    };
  }
}
