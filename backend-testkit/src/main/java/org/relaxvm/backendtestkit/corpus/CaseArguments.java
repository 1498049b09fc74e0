package org.relaxvm.backendtestkit.corpus;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.backendtestkit.definition.ElementBits;
import org.relaxvm.backendtestkit.definition.MemoryOperand;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Var;

/** Makes the arguments of a kernel: the same ones each time. */
final class CaseArguments {
  private CaseArguments() {}

  static List<Object> make(KernelCase kernel, Map<String, Long> binding) {
    Random random = new Random(kernel.name().hashCode() * 31L + binding.hashCode());
    List<Object> args = new ArrayList<>();
    for (Param param : kernel.function().params()) {
      DType dtype =
          switch (param) {
            case Param.OfBuffer(Buffer buffer) -> buffer.dtype();
            case Param.OfScalar(Var var) -> var.dtype();
            case Param.OfHandle handle -> throw new IllegalArgumentException("a handle: " + handle);
          };
      double low = DTypes.isUnsigned(dtype) ? 0 : dtype.isFloat() ? -4 : -8;
      Fill fill = kernel.fills().getOrDefault(param.name(), new Fill.Numbers(low, -low + 8));
      if (dtype.isFloat() && !kernel.fills().containsKey(param.name())) {
        fill = new Fill.Numbers(-4, 4);
      }
      switch (param) {
        case Param.OfBuffer(Buffer buffer) -> args.add(tensor(buffer, fill, binding, random));
        case Param.OfHandle handle -> throw new IllegalArgumentException("a handle: " + handle);
        case Param.OfScalar(Var var) -> {
          Long bound = binding.get(var.name());
          long bits = bound != null ? bound : values(dtype, 1, fill, binding, random)[0];
          args.add(
              dtype.equals(DType.BOOL)
                  ? (Object) (bits != 0)
                  : dtype.isFloat() ? (Object) Double.longBitsToDouble(bits) : (Object) bits);
        }
      }
    }
    return args;
  }

  private static Tensor tensor(Buffer buffer, Fill fill, Map<String, Long> binding, Random random) {
    Shape shape = Extents.shape(buffer.shape(), binding);
    Tensor tensor = zeros(buffer, shape, binding);
    long[] bits =
        values(buffer.dtype(), Math.toIntExact(shape.elementCount()), fill, binding, random);
    int[] next = {0};
    MemoryOperand.of(tensor).setAll(index -> bits[next[0]++]);
    return tensor;
  }

  private static Tensor zeros(Buffer buffer, Shape shape, Map<String, Long> binding) {
    boolean compact = buffer.strides().isEmpty() && buffer.elemOffset().equals(IntImm.of(0));
    if (compact) {
      return Tensor.zeros(buffer.dtype(), shape);
    }
    long offset = Extents.value(buffer.elemOffset(), binding);
    long[] strides = Tensor.zeros(buffer.dtype(), shape).strides();
    if (!buffer.strides().isEmpty()) {
      strides = Extents.shape(buffer.strides(), binding).toArray();
    }
    long last = offset;
    for (int axis = 0; axis < strides.length; axis++) {
      last += strides[axis] * Math.max(0, shape.dim(axis) - 1);
    }
    return Tensor.zeros(buffer.dtype(), Shape.of(last + 1)).stridedView(shape, strides, offset);
  }

  /** A tensor with memory, strides and elements like those of another. */
  static Tensor copyOf(Tensor tensor) {
    long[] strides = tensor.strides();
    long offset = tensor.byteOffset() / tensor.dtype().elementByteSize();
    long last = offset;
    for (int axis = 0; axis < strides.length; axis++) {
      last += strides[axis] * Math.max(0, tensor.shape().dim(axis) - 1);
    }
    Tensor copy =
        Tensor.zeros(tensor.dtype(), Shape.of(last + 1))
            .stridedView(tensor.shape(), strides, offset);
    tensor.copyInto(copy);
    return copy;
  }

  private static long[] values(
      DType dtype, int count, Fill fill, Map<String, Long> binding, Random random) {
    double[] values = new double[count];
    for (int i = 0; i < count; i++) {
      values[i] =
          switch (fill) {
            case Fill.Numbers(double low, double high) ->
                dtype.isFloat()
                    ? low + random.nextInt((int) ((high - low) * 4) + 1) / 4.0
                    : Math.rint(low) + random.nextInt((int) (high - low) + 1);
            case Fill.Reals(double low, double high) -> low + random.nextDouble() * (high - low);
            case Fill.Indices indices -> {
              int extent = (int) Extents.value(indices.extent(), binding);
              int index = random.nextInt(Math.max(1, extent));
              yield indices.fromEnd() && random.nextBoolean() ? index - extent : index;
            }
            case Fill.Ascending(double low, double high) -> low + (high - low) * i / count;
            case Fill.Given given -> given.values()[i % given.values().length];
          };
    }
    long[] bits = new long[count];
    for (int i = 0; i < count; i++) {
      long raw = dtype.isFloat() ? ElementBits.ofDouble(values[i]) : (long) values[i];
      bits[i] = ElementBits.stored(dtype.equals(DType.BOOL) ? raw & 1 : raw, dtype);
    }
    return bits;
  }
}
