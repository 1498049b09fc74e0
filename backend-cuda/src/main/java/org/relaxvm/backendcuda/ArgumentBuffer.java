package org.relaxvm.backendcuda;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The arguments of a launch as a kernel finds them: each at the next multiple of its own alignment,
 * which is its size, and 64 bytes for tensor maps. For one thread; used again for each launch.
 */
final class ArgumentBuffer {
  private static final int FIRST_BYTES = 256;
  private static final int TENSOR_MAP_ALIGNMENT = 64;

  private ByteBuffer buffer = allocate(FIRST_BYTES);

  private static ByteBuffer allocate(int byteSize) {
    return ByteBuffer.allocateDirect(byteSize).order(ByteOrder.nativeOrder());
  }

  /** Begins a launch. */
  void clear() {
    buffer.clear();
  }

  /** A number of 4 or 8 bytes, or an address of 8 bytes. */
  void add(int byteSize, long bits) {
    align(byteSize, byteSize);
    if (byteSize == Integer.BYTES) {
      buffer.putInt((int) bits);
    } else {
      buffer.putLong(bits);
    }
  }

  /** A tensor map. */
  void add(byte[] tensorMap) {
    align(TENSOR_MAP_ALIGNMENT, tensorMap.length);
    buffer.put(tensorMap);
  }

  /** From the start to the limit: all that was added since {@link #clear}. */
  ByteBuffer packed() {
    return buffer.flip();
  }

  private void align(int alignment, int room) {
    int at = (buffer.position() + alignment - 1) & -alignment;
    if (at + room > buffer.capacity()) {
      ByteBuffer larger = allocate(Math.max(2 * buffer.capacity(), at + room));
      buffer = larger.put(buffer.flip());
    }
    // What lies between is read by nobody; it is the same each time all the same.
    while (buffer.position() < at) {
      buffer.put((byte) 0);
    }
  }
}
