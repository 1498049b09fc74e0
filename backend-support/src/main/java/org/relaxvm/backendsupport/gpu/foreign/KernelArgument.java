package org.relaxvm.backendsupport.gpu.foreign;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.spi.DeviceMemory;

/** What one parameter of a kernel is given. */
public sealed interface KernelArgument {
  /**
   * A location in memory, borrowed for the launch.
   *
   * @param block null for the null pointer, which stands for a tensor without elements
   * @param byteOffset first byte of the place in the block; 0 for null
   */
  record Memory(@Nullable DeviceMemory block, long byteOffset) implements KernelArgument {
    /** All of a block. */
    public Memory(DeviceMemory block) {
      this(block, 0);
    }
  }

  /**
   * A number.
   *
   * @param byteSize 4 or 8
   * @param bits its bits, those of 4 bytes in the low half
   */
  record Scalar(int byteSize, long bits) implements KernelArgument {
    /** An integer of 64 bits. */
    public static Scalar of(long value) {
      return new Scalar(Long.BYTES, value);
    }

    /** An integer of 32 bits. */
    public static Scalar of(int value) {
      return new Scalar(Integer.BYTES, Integer.toUnsignedLong(value));
    }

    /** A float of 32 bits. */
    public static Scalar of(float value) {
      return of(Float.floatToRawIntBits(value));
    }

    /** A float of 64 bits. */
    public static Scalar of(double value) {
      return of(Double.doubleToRawLongBits(value));
    }
  }

  /**
   * A tensor map of CUDA.
   *
   * @param bytes its content, borrowed for the launch
   */
  @SuppressWarnings("ArrayRecordComponent") // Passed on, never compared.
  record TensorMap(byte[] bytes) implements KernelArgument {}
}
