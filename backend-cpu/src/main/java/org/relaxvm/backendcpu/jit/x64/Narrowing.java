package org.relaxvm.backendcpu.jit.x64;

import static org.relaxvm.machine.x64.Instruction.*;

import org.relaxvm.backendcpu.jit.lir.Operand.Const;
import org.relaxvm.backendcpu.jit.lir.Type;
import org.relaxvm.machine.x64.Immediate;
import org.relaxvm.machine.x64.Vector;

/** The low bits of lanes of integers. */
final class Narrowing {
  private final Locations at;

  Narrowing(Locations at) {
    this.at = at;
  }

  /**
   * Writes the low {@code bits} bits of the lanes of {@code from}. With AVX2 the third scratch
   * register is used; {@code to} may be {@code from}, and its upper lanes are undefined.
   */
  void narrow(Vector to, Vector from, Type type, int bits) {
    if (at.isWide()) {
      at.emit(
          Instructions.truncate(type.bits(), bits),
          to.low(Math.max(128, from.bits() * bits / type.bits())),
          from);
      return;
    }
    Vector low = to.low(128);
    Vector shuffled = from.bits() == 128 ? low : at.scratch(2, from.bits());
    at.emit(VPSHUFB, shuffled, from, at.fullOperand(lowBytes(from.bits(), type.bits(), bits)));
    if (from.bits() == 256) {
      at.emit(VEXTRACTI128, low, shuffled, Immediate.of(1));
      // Each half of the vector has its lanes in its first 8, 4 or 2 bytes.
      switch (16 * bits / type.bits()) {
        case 8 -> at.emit(VPUNPCKLQDQ, low, shuffled.low(128), low);
        case 4 -> at.emit(VPUNPCKLDQ, low, shuffled.low(128), low);
        default -> at.emit(VPUNPCKLWD, low, shuffled.low(128), low);
      }
    }
  }

  /** The bytes that VPSHUFB moves to the start of each 128 bits. */
  private static Const lowBytes(int registerBits, int from, int to) {
    long[] indices = new long[registerBits / 8];
    int lanes = 128 / from;
    for (int i = 0; i < indices.length; i++) {
      int lane = i % 16 / (to / 8);
      indices[i] = lane < lanes ? lane * (from / 8) + i % (to / 8) : 0x80;
    }
    return new Const(Type.ints(8, indices.length), indices);
  }

  /** Packs lanes that are 0 or -1 to half the bits. With AVX2 only. */
  void halves(Vector to, Vector from, int bits) {
    narrow(to, from, Type.ints(bits, from.bits() / bits), bits / 2);
  }
}
