package org.relaxvm.interoponnx.proto;

import java.util.AbstractList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An attribute of a node. Immutable.
 *
 * @param refName the attribute of the enclosing function that gives the value; empty when the value
 *     is here
 */
public record AttributeProto(String name, AttributeValue value, String refName) {

  static AttributeProto of(WireMessage attribute) {
    return new AttributeProto(
        attribute.string(1), AttributeValue.of(attribute), attribute.string(21));
  }

  /** The value of an attribute. */
  public sealed interface AttributeValue {
    /** A value whose kind this project does not know, or none. */
    record Unknown(long type) implements AttributeValue {}

    /** A float32. */
    record Real(float value) implements AttributeValue {}

    /** An integer. */
    record Int(long value) implements AttributeValue {}

    /** A string. */
    record OfString(String value) implements AttributeValue {}

    /** A tensor. */
    record OfTensor(TensorProto value) implements AttributeValue {}

    /** A subgraph. */
    record OfGraph(GraphProto value) implements AttributeValue {}

    /** Numbers. */
    record Reals(List<Float> values) implements AttributeValue {}

    /** Integers. */
    record Ints(List<Long> values) implements AttributeValue {}

    /** Strings. */
    record Strings(List<String> values) implements AttributeValue {}

    /** Tensors. */
    record Tensors(List<TensorProto> values) implements AttributeValue {}

    /** Subgraphs. */
    record Graphs(List<GraphProto> values) implements AttributeValue {}

    /** A sparse tensor. */
    record OfSparseTensor(SparseTensorProto value) implements AttributeValue {}

    /** Sparse tensors. */
    record SparseTensors(List<SparseTensorProto> values) implements AttributeValue {}

    /** A type. */
    record OfType(TypeProto value) implements AttributeValue {}

    /** Types. */
    record Types(List<TypeProto> values) implements AttributeValue {}

    private static AttributeValue of(WireMessage a) {
      int type = (int) a.integer(20);
      return switch (type == 0 ? typeBySetField(a) : type) {
        case 1 -> new Real(a.real(2));
        case 2 -> new Int(a.integer(3));
        case 3 -> new OfString(a.string(4));
        case 4 -> new OfTensor(new TensorProto(orEmpty(a.message(5))));
        case 5 -> new OfGraph(GraphProto.of(orEmpty(a.message(6))));
        case 6 -> new Reals(list(a.reals(7)));
        case 7 -> new Ints(list(a.integers(8)));
        case 8 -> new Strings(a.strings(9));
        case 9 -> new Tensors(a.messages(10, TensorProto::new));
        case 10 -> new Graphs(a.messages(11, GraphProto::of));
        case 11 -> new OfSparseTensor(SparseTensorProto.of(orEmpty(a.message(22))));
        case 12 -> new SparseTensors(a.messages(23, SparseTensorProto::of));
        case 13 -> new OfType(TypeProto.of(orEmpty(a.message(14))));
        case 14 -> new Types(a.messages(15, TypeProto::of));
        default -> new Unknown(type);
      };
    }

    /** Files of the first version have no types. */
    private static int typeBySetField(WireMessage a) {
      int[] fields = {2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 22, 23, 14, 15};
      for (int i = 0; i < fields.length; i++) {
        if (a.has(fields[i])) {
          return i + 1;
        }
      }
      return 0;
    }

    private static WireMessage orEmpty(@Nullable WireMessage message) {
      return message == null ? WireMessage.EMPTY : message;
    }

    private static List<Float> list(float[] values) {
      return new AbstractList<>() {
        @Override
        public Float get(int index) {
          return values[index];
        }

        @Override
        public int size() {
          return values.length;
        }
      };
    }

    private static List<Long> list(long[] values) {
      return new AbstractList<>() {
        @Override
        public Long get(int index) {
          return values[index];
        }

        @Override
        public int size() {
          return values.length;
        }
      };
    }
  }
}
