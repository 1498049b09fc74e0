package org.relaxvm.backendvulkan.driver;

/**
 * A part of a buffer.
 *
 * @param buffer the memory
 * @param offset its first byte
 * @param byteSize its bytes, positive
 */
public record BufferRange(DeviceBuffer buffer, long offset, long byteSize) {}
