package org.relaxvm.backendvulkan.driver;

/**
 * A part of a buffer.
 *
 * @param buffer the {@code VkBuffer}
 * @param offset its first byte
 * @param byteSize its bytes, positive
 */
public record BufferRange(long buffer, long offset, long byteSize) {}
