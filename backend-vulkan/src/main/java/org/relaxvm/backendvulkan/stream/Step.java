package org.relaxvm.backendvulkan.stream;

import java.nio.ByteBuffer;
import java.util.List;
import org.relaxvm.backendvulkan.driver.BufferRange;
import org.relaxvm.backendvulkan.driver.DeviceBuffer;
import org.relaxvm.backendvulkan.program.VulkanKernel;

/**
 * One thing that the device is to do. Steps that are equal are recorded alike: memory and kernels
 * are equal only to themselves, so that a step with something that is gone equals no step that can
 * still be made. Immutable; keeps no memory of the device alive.
 */
public sealed interface Step {
  /** Copies between buffers. */
  record Copy(
      DeviceBuffer source, long sourceOffset, DeviceBuffer target, long targetOffset, long byteSize)
      implements Step {}

  /**
   * Launches work-groups of a kernel.
   *
   * @param buffers the storage buffers, from binding 0 on; not changed any more
   * @param numbers the block of numbers, from its start to its limit; not changed any more
   * @param x work-groups along the first axis
   * @param y work-groups along the second
   * @param z work-groups along the third
   */
  record Launch(
      VulkanKernel kernel, List<BufferRange> buffers, ByteBuffer numbers, int x, int y, int z)
      implements Step {}

  /** Does nothing but to take the time. */
  record Nothing() implements Step {}
}
