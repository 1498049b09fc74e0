package org.relaxvm.api.spi;

/**
 * One block of a device's memory, as the backend that made it knows it: a native segment, a CUDA
 * pointer, an OpenCL or Vulkan buffer. Nobody but its backend looks inside, except that host memory
 * is always a {@link HostMemory}.
 *
 * <p>A location in memory is a block plus a byte offset; blocks are not addresses.
 *
 * <p>Rationale: docs/rationale/api.md, "Why is device memory a block plus an offset and never an
 * address?"
 */
public interface DeviceMemory {
  /** The bytes that may be used, counted from offset 0. */
  long byteSize();
}
