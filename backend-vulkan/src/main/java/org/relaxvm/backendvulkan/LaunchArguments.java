package org.relaxvm.backendvulkan;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.backendsupport.gpu.device.GpuStream;
import org.relaxvm.backendsupport.gpu.foreign.KernelArgument;
import org.relaxvm.backendvulkan.context.DeviceContext;
import org.relaxvm.backendvulkan.driver.BufferRange;
import org.relaxvm.backendvulkan.driver.DeviceBuffer;
import org.relaxvm.backendvulkan.kernels.KernelInterface;
import org.relaxvm.backendvulkan.program.VulkanKernel;
import org.relaxvm.backendvulkan.stream.Step;

/**
 * Makes of what a launch gives its kernel what Vulkan takes: buffers to bind, and a block of
 * numbers. Used again for each launch of a stream, by one thread at a time.
 */
final class LaunchArguments {
  private final VulkanDevice device;
  private final DeviceContext context;
  private List<BufferRange> buffers = List.of();
  private ByteBuffer block = ByteBuffer.allocate(0);

  LaunchArguments(VulkanDevice device, DeviceContext context) {
    this.device = device;
    this.context = context;
  }

  /**
   * A launch with its arguments.
   *
   * @throws BackendException when they do not fit the kernel, or a block cannot be used from a byte
   *     on
   */
  Step.Launch launch(VulkanKernel kernel, List<KernelArgument> arguments, long[] workGroups) {
    KernelInterface shape = kernel.shape();
    buffers = new ArrayList<>(shape.buffers());
    block = ByteBuffer.allocate(shape.argumentBytes()).order(ByteOrder.LITTLE_ENDIAN);
    int at = 0;
    int index = 0;
    for (KernelArgument argument : arguments) {
      at = put(kernel, index++, argument, at);
    }
    if ((!shape.addressed() && buffers.size() != shape.buffers())
        || shape.argumentBytes() - at >= Long.BYTES) {
      throw mismatch(kernel, arguments.size());
    }
    return new Step.Launch(
        kernel, buffers, block, (int) workGroups[0], (int) workGroups[1], (int) workGroups[2]);
  }

  private int put(VulkanKernel kernel, int index, KernelArgument argument, int at) {
    return switch (argument) {
      case KernelArgument.Scalar(int byteSize, long bits) ->
          number(kernel, at, kernel.shape().slots() ? Long.BYTES : byteSize, bits);
      case KernelArgument.Memory(var memory, long offset) -> {
        VulkanMemory own = memory == null ? null : device.own(memory);
        if (kernel.shape().addressed()) {
          DeviceBuffer buffer = own == null ? context.nothing() : own.buffer();
          yield number(kernel, at, Long.BYTES, buffer.deviceAddress() + offset);
        }
        buffers.add(range(kernel, index, own, offset));
        yield at;
      }
      case KernelArgument.TensorMap _ -> throw GpuStream.noTensorMaps(context.id(), index, kernel);
    };
  }

  private int number(VulkanKernel kernel, int at, int byteSize, long bits) {
    int start = (at + byteSize - 1) & -byteSize;
    if (start + byteSize > kernel.shape().argumentBytes()) {
      throw mismatch(kernel, start + byteSize);
    }
    if (byteSize == Integer.BYTES) {
      block.putInt(start, (int) bits);
    } else {
      block.putLong(start, bits);
    }
    return start + byteSize;
  }

  private BufferRange range(
      VulkanKernel kernel, int index, @Nullable VulkanMemory block, long offset) {
    DeviceBuffer buffer = block == null ? context.nothing() : block.buffer();
    long alignment = context.facts().alignment();
    if (block != null && offset > 0 && (offset % alignment != 0 || offset >= block.byteSize())) {
      throw GpuStream.misaligned(context.id(), index, kernel, offset, block, alignment);
    }
    long most = context.facts().limits().maxStorageBufferRange();
    return new BufferRange(buffer, offset, Math.min(buffer.byteSize() - offset, most));
  }

  private BackendException mismatch(VulkanKernel kernel, int got) {
    return new BackendException(
        ErrorKind.INTERNAL,
        context.id()
            + " cannot launch the kernel "
            + kernel
            + ": it is called as "
            + kernel.shape()
            + ", which does not fit the arguments of the launch ("
            + got
            + ")");
  }
}
