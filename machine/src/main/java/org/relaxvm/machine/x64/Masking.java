package org.relaxvm.machine.x64;

/**
 * Which lanes an instruction of AVX-512 computes.
 *
 * @param mask the register; k0 stands for all lanes
 * @param isZeroing whether other lanes become zero; otherwise they are kept
 */
record Masking(Mask mask, boolean isZeroing) {
  /** All lanes. */
  static final Masking ALL = new Masking(Mask.k(0), false);

  boolean isMasked() {
    return mask.number() != 0;
  }

  @Override
  public String toString() {
    return isMasked() ? "{" + mask + "}" + (isZeroing ? "{z}" : "") : "";
  }
}
