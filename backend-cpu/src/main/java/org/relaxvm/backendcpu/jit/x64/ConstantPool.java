package org.relaxvm.backendcpu.jit.x64;

import org.relaxvm.backendcpu.jit.lir.Operand.Const;
import org.relaxvm.machine.x64.Address;
import org.relaxvm.machine.x64.Assembler;
import org.relaxvm.machine.x64.Immediate;
import org.relaxvm.machine.x64.Instruction;
import org.relaxvm.machine.x64.Vector;

/** Constants of lanes: in memory after the code, or made by an instruction. */
final class ConstantPool {
  private static final int XMM_BYTES = 16;

  private final Assembler assembler;
  private final boolean isWide;

  ConstantPool(Assembler assembler, boolean isWide) {
    this.assembler = assembler;
    this.isWide = isWide;
  }

  /** Memory of a constant: one element for all lanes where instructions allow that. */
  Address memory(Const constant) {
    boolean isBroadcast =
        isWide && constant.isSplat() && constant.type().bits() >= 32 && constant.type().lanes() > 1;
    return isBroadcast ? element(constant).broadcast() : full(constant);
  }

  /** Memory of all lanes, at least 16 bytes, of which the last repeat the first. */
  Address full(Const constant) {
    int laneBytes = constant.type().bits() / 8;
    int bytes = Math.max(XMM_BYTES, constant.type().totalBits() / 8);
    byte[] all = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      long lane = constant.lane(i / laneBytes % constant.type().lanes());
      all[i] = (byte) (lane >>> (8 * (i % laneBytes)));
    }
    return Address.of(assembler.constant(all, bytes));
  }

  /** Memory of the element of a constant whose lanes are equal. */
  Address element(Const constant) {
    return Address.of(little(constant.lane(0), constant.type().bits() / 8));
  }

  /** Memory of a word. */
  Address word(long value) {
    return Address.of(little(value, 8)).ofBytes(8);
  }

  private org.relaxvm.machine.x64.Label little(long value, int bytes) {
    byte[] all = new byte[bytes];
    for (int i = 0; i < bytes; i++) {
      all[i] = (byte) (value >>> (8 * i));
    }
    return assembler.constant(all, bytes);
  }

  /** Writes a constant to a register, whose bits above those of the lanes are undefined. */
  void load(Vector to, Const constant) {
    int bits = constant.type().bits();
    if (!constant.isSplat()) {
      assembler.emit(Instruction.VMOVUPS, to, full(constant));
      return;
    }
    long lane = bits == 64 ? constant.lane(0) : constant.lane(0) & ((1L << bits) - 1);
    if (lane == 0) {
      zero(to);
    } else if (lane == (bits == 64 ? -1 : (1L << bits) - 1)) {
      ones(to);
    } else if (constant.type().lanes() == 1 && bits >= 32) {
      assembler.emit(bits == 32 ? Instruction.VMOVSS : Instruction.VMOVSD, to, element(constant));
    } else {
      assembler.emit(broadcast(bits, to.bits()), to, element(constant));
    }
  }

  /** The instruction that reads one element for all lanes. */
  static Instruction broadcast(int bits, int registerBits) {
    return switch (bits) {
      case 8 -> Instruction.VPBROADCASTB;
      case 16 -> Instruction.VPBROADCASTW;
      case 32 -> Instruction.VBROADCASTSS;
      default -> registerBits == 128 ? Instruction.VPBROADCASTQ : Instruction.VBROADCASTSD;
    };
  }

  /** Clears a register. */
  void zero(Vector to) {
    Vector low = to.low(128);
    assembler.emit(to.number() < 16 ? Instruction.VPXOR : Instruction.VPXORD, low, low, low);
  }

  private void ones(Vector to) {
    if (isWide) {
      assembler.emit(Instruction.VPTERNLOGD, to, to, to, Immediate.of(0xFF));
    } else {
      assembler.emit(Instruction.VPCMPEQD, to, to, to);
    }
  }
}
