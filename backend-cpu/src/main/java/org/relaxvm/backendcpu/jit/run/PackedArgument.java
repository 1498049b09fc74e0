package org.relaxvm.backendcpu.jit.run;

import java.util.List;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

/** What a kernel passes to a function that it calls by name. Immutable and thread-safe. */
sealed interface PackedArgument {
  /** The argument of a call; a tensor that the frame does not have is to be closed. */
  Object in(Frame frame);

  /** A string. */
  record OfText(String text) implements PackedArgument {
    @Override
    public Object in(Frame frame) {
      return text;
    }
  }

  /** A number. */
  record OfScalar(Value value, DType dtype) implements PackedArgument {
    @Override
    public Object in(Frame frame) {
      return box(value.in(frame.block()), dtype);
    }
  }

  /** The tensor of a parameter. */
  record OfParameter(int number) implements PackedArgument {
    @Override
    public Object in(Frame frame) {
      return frame.tensor(number);
    }
  }

  /** Memory that the kernel allocated. */
  record OfMemory(int allocation, DType dtype, List<Value> shape) implements PackedArgument {
    /** Copies the list. */
    public OfMemory {
      shape = List.copyOf(shape);
    }

    @Override
    public Object in(Frame frame) {
      long[] dims = new long[shape.size()];
      long bytes = dtype.elementByteSize();
      for (int i = 0; i < dims.length; i++) {
        dims[i] = shape.get(i).in(frame.block());
        bytes *= dims[i];
      }
      return Tensor.wrap(frame.allocated(allocation).asSlice(0, bytes), dtype, Shape.of(dims));
    }
  }

  /** Calls a function with the context of the kernel; what it returns is not used. */
  static void call(Frame frame, int function, List<PackedArgument> arguments) {
    Object[] args = new Object[arguments.size()];
    CallResult result = new CallResult();
    try {
      for (int i = 0; i < args.length; i++) {
        args[i] = arguments.get(i).in(frame);
      }
      frame.called(function).call(CallArgs.of(frame.contextOrNull(), args), result);
    } finally {
      result.setNull();
      for (int i = 0; i < args.length; i++) {
        if (arguments.get(i) instanceof OfMemory && args[i] instanceof Tensor own) {
          own.close();
        }
      }
    }
  }

  /** A scalar of the block as an object: a Boolean, Double or Long. */
  static Object box(long value, DType dtype) {
    if (dtype.equals(DType.BOOL)) {
      return value != 0;
    }
    if (!dtype.isFloat()) {
      return value;
    }
    return dtype.equals(DType.FLOAT64)
        ? Double.longBitsToDouble(value)
        : (double) Float.intBitsToFloat((int) value);
  }
}
