package org.relaxvm.backendsupport.gpu;

import java.util.Optional;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;

/**
 * What large GEMMs can use of a device.
 *
 * @param registers of 32 bits that each work-item of a work-group of 256 can have
 * @param slices most slices of the operands that a work-group should keep in its memory: one is
 *     multiplied while the others are on their way; 2 at least
 * @param sharedBytes most shared memory that those slices may take; where it is more than {@link
 *     GpuLimits#localMemoryBytes}, the device gives a work-group more than that when it is launched
 * @param matrixUnit that multiplies small matrices at once, if there is one
 */
public record GemmLimits(
    int registers, int slices, long sharedBytes, Optional<MatrixUnit> matrixUnit) {
  /** Checks that all are usable. */
  public GemmLimits {
    if (registers < 1 || slices < 2 || sharedBytes < 0) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "GEMMs need 1 register, 2 slices and 0 bytes at least, but got "
              + registers
              + ", "
              + slices
              + " and "
              + sharedBytes);
    }
  }
}
