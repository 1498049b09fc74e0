package org.relaxvm.backendvulkan.driver;

/**
 * Memory of a device.
 *
 * @param number tells it from all other memory that the device ever made: drivers give handles and
 *     addresses of memory that was destroyed to other memory
 * @param handle the {@code VkBuffer}
 * @param allocation what the allocator calls its memory
 * @param byteSize its size
 * @param deviceAddress where kernels find it; 0 when the device has no addresses
 * @param hostAddress where the host finds it; 0 when it cannot reach it
 */
public record DeviceBuffer(
    long number,
    long handle,
    long allocation,
    long byteSize,
    long deviceAddress,
    long hostAddress) {
  /** Whether the host reads and writes it in place. */
  public boolean isMapped() {
    return hostAddress != 0;
  }

  /** Its number says it all, and each launch asks. */
  @Override
  public int hashCode() {
    return Long.hashCode(number);
  }
}
