package org.relaxvm.interoptvm.shim;

import java.util.List;

/** The machine code of a shim's functions, each of which jumps to where its table says. */
enum ShimCode {
  /** System V ABI for 64-bit x86. */
  X86_64(62, 0x1000, 128) {
    @Override
    byte[] write(List<String> functions, int table) {
      return X64ShimCode.write(functions, table);
    }
  },

  /** Procedure Call Standard for the 64-bit ARM architecture. */
  AARCH64(183, 0x1_0000, 64) {
    @Override
    byte[] write(List<String> functions, int table) {
      return Arm64ShimCode.write(functions, table);
    }
  };

  private final int machine;
  private final int align;
  private final int stride;

  ShimCode(int machine, int align, int stride) {
    this.machine = machine;
    this.align = align;
    this.stride = stride;
  }

  /** The machine's number in ELF. */
  int machine() {
    return machine;
  }

  /** The largest page of such machines. */
  int align() {
    return align;
  }

  /** How far apart functions begin. */
  int stride() {
    return stride;
  }

  /**
   * The code of all functions. One that {@link ElfShim} describes does its work itself in the cases
   * stated there; in other cases, and in other functions, the code jumps to where the function's
   * word of the table points. What follows a function in its {@link #stride} cannot be executed.
   *
   * @param table where the table begins, from the first byte of the code on
   */
  abstract byte[] write(List<String> functions, int table);
}
