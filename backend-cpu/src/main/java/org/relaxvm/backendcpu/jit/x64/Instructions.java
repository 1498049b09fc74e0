package org.relaxvm.backendcpu.jit.x64;

import static org.relaxvm.machine.x64.Instruction.*;

import org.relaxvm.backendcpu.jit.lir.Type;
import org.relaxvm.machine.x64.Instruction;

/** Instructions of one operation, by the kind and size of lanes. */
final class Instructions {
  private Instructions() {}

  /** The instruction for integers of 8, 16, 32 or 64 bits. */
  static Instruction byBits(
      int bits, Instruction i8, Instruction i16, Instruction i32, Instruction i64) {
    return switch (bits) {
      case 8 -> i8;
      case 16 -> i16;
      case 32 -> i32;
      default -> i64;
    };
  }

  /** The instruction for lanes of floats, or for one float. */
  static Instruction byFloat(
      Type type, Instruction ps, Instruction pd, Instruction ss, Instruction sd) {
    if (type.lanes() == 1) {
      return type.bits() == 32 ? ss : sd;
    }
    return packed(type, ps, pd);
  }

  /** The instruction for lanes of floats. */
  static Instruction packed(Type type, Instruction ps, Instruction pd) {
    return type.bits() == 32 ? ps : pd;
  }

  static Instruction add(int bits) {
    return byBits(bits, VPADDB, VPADDW, VPADDD, VPADDQ);
  }

  static Instruction subtract(int bits) {
    return byBits(bits, VPSUBB, VPSUBW, VPSUBD, VPSUBQ);
  }

  static Instruction compareEqual(int bits) {
    return byBits(bits, VPCMPEQB, VPCMPEQW, VPCMPEQD, VPCMPEQQ);
  }

  static Instruction compareGreater(int bits) {
    return byBits(bits, VPCMPGTB, VPCMPGTW, VPCMPGTD, VPCMPGTQ);
  }

  static Instruction and(boolean isWide, int bits) {
    return !isWide ? VPAND : bits == 64 ? VPANDQ : VPANDD;
  }

  static Instruction andNot(boolean isWide, int bits) {
    return !isWide ? VPANDN : bits == 64 ? VPANDNQ : VPANDND;
  }

  static Instruction or(boolean isWide, int bits) {
    return !isWide ? VPOR : bits == 64 ? VPORQ : VPORD;
  }

  static Instruction xor(boolean isWide, int bits) {
    return !isWide ? VPXOR : bits == 64 ? VPXORQ : VPXORD;
  }

  /** The instruction that extends integers of {@code from} bits. */
  static Instruction extend(int from, int to, boolean isSigned) {
    return switch (from * 100 + to) {
      case 816 -> isSigned ? VPMOVSXBW : VPMOVZXBW;
      case 832 -> isSigned ? VPMOVSXBD : VPMOVZXBD;
      case 864 -> isSigned ? VPMOVSXBQ : VPMOVZXBQ;
      case 1632 -> isSigned ? VPMOVSXWD : VPMOVZXWD;
      case 1664 -> isSigned ? VPMOVSXWQ : VPMOVZXWQ;
      case 3264 -> isSigned ? VPMOVSXDQ : VPMOVZXDQ;
      default -> throw new IllegalArgumentException("no extension from " + from + " to " + to);
    };
  }

  /** The instruction of AVX-512 that keeps the low {@code to} bits of integers. */
  static Instruction truncate(int from, int to) {
    return switch (from * 100 + to) {
      case 1608 -> VPMOVWB;
      case 3208 -> VPMOVDB;
      case 3216 -> VPMOVDW;
      case 6408 -> VPMOVQB;
      case 6416 -> VPMOVQW;
      case 6432 -> VPMOVQD;
      default -> throw new IllegalArgumentException("no truncation from " + from + " to " + to);
    };
  }

  static Instruction interleaveLow(int bits) {
    return switch (bits) {
      case 8 -> VPUNPCKLBW;
      case 16 -> VPUNPCKLWD;
      case 32 -> VPUNPCKLDQ;
      default -> VPUNPCKLQDQ;
    };
  }

  static Instruction interleaveHigh(int bits) {
    return switch (bits) {
      case 8 -> VPUNPCKHBW;
      case 16 -> VPUNPCKHWD;
      case 32 -> VPUNPCKHDQ;
      default -> VPUNPCKHQDQ;
    };
  }
}
