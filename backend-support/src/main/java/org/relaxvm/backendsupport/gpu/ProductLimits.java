package org.relaxvm.backendsupport.gpu;

import java.util.Optional;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;

/**
 * What large sums of products can use of a device.
 *
 * @param registers of 32 bits that each work-item of a group of 256 can have
 * @param slices most slices of the operands that a group should keep in its memory: one is
 *     multiplied while the others are on their way; 2 at least
 * @param groupBytes most shared memory that those slices may take; where it is more than {@link
 *     GpuLimits#localMemoryBytes}, the device gives a group more than that when it is launched
 * @param matrixUnit that multiplies small matrices at once, if there is one
 */
public record ProductLimits(
    int registers, int slices, long groupBytes, Optional<MatrixUnit> matrixUnit) {
  /** Checks that all are usable. */
  public ProductLimits {
    if (registers < 1 || slices < 2 || groupBytes < 0) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "products need 1 register, 2 slices and 0 bytes at least, but got "
              + registers
              + ", "
              + slices
              + " and "
              + groupBytes);
    }
  }
}
