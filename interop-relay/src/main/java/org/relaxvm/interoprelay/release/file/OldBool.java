package org.relaxvm.interoprelay.release.file;

import org.relaxvm.api.DType;
import org.relaxvm.api.TypeCode;

/**
 * The boolean type of those releases: an unsigned integer of one bit, which takes a byte in memory.
 */
final class OldBool {
  private static final DType UINT1 = new DType(TypeCode.UINT, 1, 1);

  private OldBool() {}

  /** The type in the file. */
  static DType inFile(DType dtype) {
    return dtype.equals(DType.BOOL) ? UINT1 : dtype;
  }

  /** The type in memory. */
  static DType inMemory(DType dtype) {
    return dtype.equals(UINT1) ? DType.BOOL : dtype;
  }
}
