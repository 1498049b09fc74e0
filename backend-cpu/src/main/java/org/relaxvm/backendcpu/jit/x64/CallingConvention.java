package org.relaxvm.backendcpu.jit.x64;

import java.util.List;
import org.relaxvm.machine.x64.Gp;

/** How C functions are called on x86-64. */
public enum CallingConvention {
  /** Linux and macOS. */
  SYSTEM_V(
      List.of(Gp.RDI, Gp.RSI, Gp.RDX, Gp.RCX),
      List.of(Gp.RBX, Gp.RBP, Gp.R12, Gp.R13, Gp.R14, Gp.R15),
      16),
  /** Windows. */
  WINDOWS(
      List.of(Gp.RCX, Gp.RDX, Gp.R8, Gp.R9),
      List.of(Gp.RBX, Gp.RBP, Gp.RSI, Gp.RDI, Gp.R12, Gp.R13, Gp.R14, Gp.R15),
      6);

  private final List<Gp> parameters;

  /** The bit of each register by its number. */
  private final int saved;

  private final int firstSavedVector;

  CallingConvention(List<Gp> parameters, List<Gp> saved, int firstSavedVector) {
    this.parameters = parameters;
    int bits = 0;
    for (Gp register : saved) {
      bits |= 1 << register.number();
    }
    this.saved = bits;
    this.firstSavedVector = firstSavedVector;
  }

  /** The convention of this operating system. */
  public static CallingConvention current() {
    return System.getProperty("os.name", "").startsWith("Windows") ? WINDOWS : SYSTEM_V;
  }

  /** The registers of the first four integer parameters. */
  List<Gp> parameters() {
    return parameters;
  }

  /** Whether a function preserves a general register. */
  boolean isSaved(Gp register) {
    return (saved >>> register.number() & 1) != 0;
  }

  /** Whether a function preserves the low 128 bits of a vector register. */
  boolean isSavedVector(int number) {
    return number >= firstSavedVector && number < 16;
  }
}
