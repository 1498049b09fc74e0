package org.relaxvm.backendsupport.gpu.codegen;

import java.util.List;
import org.relaxvm.api.DType;

/** A function of two values of a dtype that programs contain: no operator means the same. */
public enum Helper {
  /** Division of integers towards 0; by 0 it gives 0. */
  DIVIDE("rv_div"),
  /** The remainder of {@link #DIVIDE}; by 0 it gives 0. */
  REMAINDER("rv_rem"),
  /** Division of integers towards negative infinity; by 0 it gives 0. */
  FLOOR_DIVIDE("rv_floordiv", DIVIDE, REMAINDER),
  /**
   * The remainder of {@link #FLOOR_DIVIDE}. Of floats too: that of {@link Dialect#floatRemainder}
   * with the sign of the divisor.
   */
  FLOOR_REMAINDER("rv_floormod", REMAINDER),
  /** The lesser of two; NaN of floats when either is. */
  MIN("rv_min"),
  /** The greater of two; NaN of floats when either is. */
  MAX("rv_max"),
  /** Bits moved up; none are left for a number that is negative or too large. */
  SHIFT_LEFT("rv_shl"),
  /** Bits moved down, filled with the sign. */
  SHIFT_RIGHT("rv_shr"),
  /** A power of integers by repeated multiplication. */
  POWER("rv_pow"),
  /** A signed integer without its sign; the smallest is its own. The second value is nothing. */
  ABSOLUTE("rv_abs");

  private final String prefix;
  private final List<Helper> integerNeeds;

  Helper(String prefix, Helper... integerNeeds) {
    this.prefix = prefix;
    this.integerNeeds = List.of(integerNeeds);
  }

  /** What the function for a dtype is called. */
  public String nameFor(Dialect dialect, DType dtype) {
    return prefix + "_" + dialect.helperSuffix(dtype);
  }

  /** The helpers that this one may call, for the same dtype. */
  List<Helper> needs(DType dtype) {
    return dtype.isFloat() ? List.of() : integerNeeds;
  }
}
