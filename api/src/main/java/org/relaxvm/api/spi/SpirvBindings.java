package org.relaxvm.api.spi;

import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;

/**
 * Where a compute shader in SPIR-V finds the parameters of its {@link KernelEntry}.
 *
 * <ul>
 *   <li>Descriptor set 0: the memory parameter {@code i} is the storage buffer at binding {@code
 *       i}.
 *   <li>Scalar {@code k} is at byte {@code 8 k}, little-endian, in 8 bytes; one of 32 bits takes
 *       the lower 4 and the upper 4 are zero, as {@link KernelEntry#scalarBits} gives it.
 *   <li>These bytes are push constants from offset 0 on or, when the entry says so, a uniform
 *       buffer at binding {@link #uniformBinding}. The compiler chooses, mostly by whether they are
 *       more than 128 bytes: what the entry says counts, and not their number.
 * </ul>
 *
 * <p>The entry point has the kernel's name; the stage is compute.
 *
 * <p>Source: docs/spec/device-modules.md, section 5. Immutable.
 *
 * @param buffers the number of memory parameters, which come first
 * @param scalars the number of scalars after them
 * @param uniform whether the scalars are in a uniform buffer
 */
public record SpirvBindings(int buffers, int scalars, boolean uniform) {
  private static final int SCALAR_BYTES = 8;

  /**
   * The bindings of an entry.
   *
   * @throws InvalidProgramException when a memory parameter follows a scalar, or one is a tensor
   *     map
   */
  public static SpirvBindings of(KernelEntry entry) {
    int count = entry.parameters().size();
    int buffers = 0;
    while (buffers < count && entry.isMemory(buffers)) {
      buffers++;
    }
    for (int i = buffers; i < count; i++) {
      if (entry.parameters().get(i).equals(KernelEntry.HANDLE)) {
        throw new InvalidProgramException(
                ErrorKind.INTERNAL,
                "parameter "
                    + i
                    + " of SPIR-V kernel "
                    + entry.name()
                    + " is a handle after a scalar\n  expected: handles first, then scalars")
            .withTvmMessage("Device function need to be organized");
      }
    }
    return new SpirvBindings(buffers, count - buffers, entry.uniformScalars());
  }

  /** The bytes of all scalars together. */
  public int scalarBytes() {
    return SCALAR_BYTES * scalars;
  }

  /** The first byte of a scalar, counted from 0 after the memory parameters. */
  public int scalarOffset(int scalar) {
    return SCALAR_BYTES * scalar;
  }

  /** The bytes of push constants; 0 when a uniform buffer is used. */
  public int pushConstantBytes() {
    return uniform ? 0 : scalarBytes();
  }

  /** The binding of the uniform buffer, where there is one: after the storage buffers. */
  public int uniformBinding() {
    return buffers;
  }
}
