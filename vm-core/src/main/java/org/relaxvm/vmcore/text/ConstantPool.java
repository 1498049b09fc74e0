package org.relaxvm.vmcore.text;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

/** Collects constants; those written inside of calls share entries of equal content. */
final class ConstantPool {
  private record TensorKey(DType dtype, Shape shape, ByteBuffer content) {}

  /** Unlike {@link Double}, tells apart the many values that are not a number. */
  private record DoubleKey(long bits) {}

  private final List<Object> constants = new ArrayList<>();
  private final Map<Object, Integer> byContent = new HashMap<>();

  List<Object> constants() {
    return constants;
  }

  int size() {
    return constants.size();
  }

  /** Adds an entry, whether there is an equal one or not. */
  void append(Object constant) {
    byContent.putIfAbsent(key(constant), constants.size());
    constants.add(constant);
  }

  /** The index of an equal entry, which is added when there is none. */
  int intern(Object constant) {
    Integer known = byContent.get(key(constant));
    if (known != null) {
      return known;
    }
    append(constant);
    return constants.size() - 1;
  }

  private static Object key(Object constant) {
    return switch (constant) {
      case Tensor tensor ->
          new TensorKey(tensor.dtype(), tensor.shape(), tensor.segment().asByteBuffer());
      case Double number -> new DoubleKey(Double.doubleToRawLongBits(number));
      default -> constant;
    };
  }
}
