package com.example.metering.kernels;

import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.kernels.KernelLibrary;
import org.relaxvm.api.kernels.KernelSignature;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.Module;

/** The device's library. It has what a small convolutional network needs, for float32. */
public final class MeteringKernels {
  private static final Map<String, Kernel> KERNELS =
      Map.of(
          "relaxvm.add", Add::run,
          "relaxvm.conv2d", Conv2d::run,
          "relaxvm.matmul", Matmul::run,
          "relaxvm.max_pool2d", MaxPool2d::run,
          "relaxvm.softmax", Softmax::run);

  private MeteringKernels() {}

  /** Computes, and returns the number of operations. */
  private interface Kernel {
    long run(KernelCall call);
  }

  /**
   * The library of a device.
   *
   * @param bytes gives the content of a block
   * @param operations is told the number of operations after each call
   */
  public static Module library(
      Device device, Function<DeviceMemory, MemorySegment> bytes, LongConsumer operations) {
    Map<String, PackedFunc> functions = new HashMap<>();
    for (KernelSignature signature : KernelLibrary.standard().signatures()) {
      Kernel kernel = KERNELS.get(signature.name());
      if (kernel != null) {
        functions.put(
            signature.name(),
            (args, result) ->
                operations.accept(kernel.run(new KernelCall(signature, args, device, bytes))));
      }
    }
    return Module.of("kernel library of " + device, functions);
  }
}
