package com.example.metering.kernels;

import java.lang.foreign.MemorySegment;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.kernels.Activation;
import org.relaxvm.api.kernels.KernelSignature;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceMemory;

/** The arguments of one call, by name. What does not fit is refused before anything is written. */
final class KernelCall {
  private final KernelSignature signature;
  private final CallArgs args;
  private final Device device;
  private final Function<DeviceMemory, MemorySegment> bytes;

  KernelCall(
      KernelSignature signature,
      CallArgs args,
      Device device,
      Function<DeviceMemory, MemorySegment> bytes) {
    signature.check(args);
    this.signature = signature;
    this.args = args;
    this.device = device;
    this.bytes = bytes;
  }

  // snippet: tensor
  /** An input or output that the kernels can work on. */
  Floats floats(String name) {
    Tensor tensor = args.tensorAt(signature.indexOf(name));
    require(tensor.isLive(), name, "an open tensor", "closed");
    require(tensor.device().equals(device), name, "on " + device, tensor);
    require(tensor.dtype().equals(DType.FLOAT32), name, "float32", tensor);
    require(tensor.isContiguous(), name, "contiguous", tensor + " with strides");
    MemorySegment block = bytes.apply(tensor.storage().memory());
    return new Floats(tensor.shape(), block.asSlice(tensor.byteOffset(), tensor.byteSize()));
  }

  // end

  @Nullable Floats floatsOrNull(String name) {
    return args.isNull(signature.indexOf(name)) ? null : floats(name);
  }

  /** The output, which must have the shape. */
  Floats out(Shape shape) {
    Floats out = floats("out");
    require(out.shape().equals(shape), "out", "of shape " + shape, out.shape());
    return out;
  }

  long integer(String name) {
    return args.longAt(signature.indexOf(name));
  }

  boolean flag(String name) {
    return args.booleanAt(signature.indexOf(name));
  }

  /** So many numbers, each at least {@code least}. */
  long[] numbers(String name, int count, long least) {
    Shape shape = args.shapeAt(signature.indexOf(name));
    long[] numbers = shape.toArray();
    boolean fits = numbers.length == count;
    for (long number : numbers) {
      fits &= number >= least;
    }
    require(fits, name, count + " numbers of at least " + least, shape);
    return numbers;
  }

  Activation activation() {
    return Activation.of(signature.name(), args.stringAt(signature.indexOf("activation")));
  }

  void require(boolean holds, String name, String expected, Object got) {
    if (!holds) {
      throw new CallException(
          ErrorKind.VALUE,
          String.format(
              "%s: argument #%d '%s' must be %s but is %s",
              signature.name(), signature.indexOf(name), name, expected, got));
    }
  }
}
