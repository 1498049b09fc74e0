package org.relaxvm.machine.arm64;

import java.util.Locale;

/**
 * System registers that programs may read. Operating systems emulate the identification registers
 * ({@code _EL1}): Linux does.
 */
public enum SystemRegister implements Operand {
  /** The flags. */
  NZCV(3, 4, 2, 0, true),
  /** Control of floating point: rounding, flush to zero. */
  FPCR(3, 4, 4, 0, true),
  /** Status of floating point: exceptions so far. */
  FPSR(3, 4, 4, 1, true),
  /** The thread pointer. */
  TPIDR_EL0(3, 13, 0, 2, true),
  /** Ticks per second of {@link #CNTVCT_EL0}. */
  CNTFRQ_EL0(3, 14, 0, 0, false),
  /** The virtual counter, which all cores share. */
  CNTVCT_EL0(3, 14, 0, 2, false),
  /** Sizes of cache lines. */
  CTR_EL0(3, 0, 0, 1, false),
  /** The number of bytes that {@link Instruction#DC_ZVA} clears. */
  DCZID_EL0(3, 0, 0, 7, false),
  /** Implementer and part number of the processor. */
  MIDR_EL1(0, 0, 0, 0, false),
  ID_AA64PFR0_EL1(0, 0, 4, 0, false),
  ID_AA64ZFR0_EL1(0, 0, 4, 4, false),
  ID_AA64ISAR0_EL1(0, 0, 6, 0, false),
  ID_AA64ISAR1_EL1(0, 0, 6, 1, false);

  private static final int OP0 = 3 << 19;

  private final int encoding;
  private final boolean isWritable;

  SystemRegister(int op1, int crn, int crm, int op2, boolean isWritable) {
    encoding = OP0 | op1 << 16 | crn << 12 | crm << 8 | op2 << 5;
    this.isWritable = isWritable;
  }

  int encoding() {
    return encoding;
  }

  /** Whether programs may write it. */
  public boolean isWritable() {
    return isWritable;
  }

  /** The name in the manual. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
