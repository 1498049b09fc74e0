package org.relaxvm.backendcpu.micro;

import org.relaxvm.machine.x64.Address;
import org.relaxvm.machine.x64.Assembler;
import org.relaxvm.machine.x64.Gp;
import org.relaxvm.machine.x64.Immediate;
import org.relaxvm.machine.x64.Instruction;
import org.relaxvm.machine.x64.Mask;
import org.relaxvm.machine.x64.Operand;
import org.relaxvm.machine.x64.Vector;

/**
 * Instructions on vectors of one element type. A mask, set once, selects the elements of a vector
 * at the edge of a matrix: k1 with AVX-512, else the last register.
 */
final class VectorCode {
  private static final Mask EDGE = Mask.k(1);

  private final Assembler assembler;
  private final VectorUnit unit;
  private final boolean isDouble;
  private final int edgeRegister;

  VectorCode(Assembler assembler, VectorUnit unit, Element element) {
    this.assembler = assembler;
    this.unit = unit;
    isDouble = element == Element.FLOAT64;
    edgeRegister = unit.registers() - 1;
  }

  Vector register(int number) {
    return new Vector(number, unit.bits());
  }

  private void emit(Instruction single, Instruction twice, Operand... operands) {
    assembler.emit(isDouble ? twice : single, operands);
  }

  void zero(int to) {
    if (to < 16) {
      Vector low = Vector.xmm(to);
      assembler.emit(Instruction.VXORPS, low, low, low);
    } else {
      Vector all = register(to);
      assembler.emit(Instruction.VPXORD, all, all, all);
    }
  }

  /** Sets the mask from what {@link Masks} has for the count of elements. */
  void setEdge(Gp mask) {
    if (unit.isWide()) {
      assembler.emit(Instruction.KMOVW, EDGE, mask.low32());
    } else {
      assembler.emit(Instruction.VMOVUPS, register(edgeRegister), Address.of(mask, 0));
    }
  }

  void load(int to, Address from) {
    emit(Instruction.VMOVUPS, Instruction.VMOVUPD, register(to), from);
  }

  /** Loads the elements of the mask; others become zero and are not touched. */
  void loadEdge(int to, Address from) {
    if (unit.isWide()) {
      Instruction move = isDouble ? Instruction.VMOVUPD : Instruction.VMOVUPS;
      assembler.emitMasked(move, EDGE, true, register(to), from);
    } else {
      emit(
          Instruction.VMASKMOVPS,
          Instruction.VMASKMOVPD,
          register(to),
          register(edgeRegister),
          from);
    }
  }

  void store(Address to, int from) {
    emit(Instruction.VMOVUPS, Instruction.VMOVUPD, to, register(from));
  }

  /** Stores the elements of the mask. */
  void storeEdge(Address to, int from) {
    if (unit.isWide()) {
      Instruction move = isDouble ? Instruction.VMOVUPD : Instruction.VMOVUPS;
      assembler.emitMasked(move, EDGE, false, to, register(from));
    } else {
      emit(
          Instruction.VMASKMOVPS,
          Instruction.VMASKMOVPD,
          to,
          register(edgeRegister),
          register(from));
    }
  }

  void broadcast(int to, Address from) {
    emit(Instruction.VBROADCASTSS, Instruction.VBROADCASTSD, register(to), from);
  }

  void add(int to, int from) {
    emit(Instruction.VADDPS, Instruction.VADDPD, register(to), register(to), register(from));
  }

  void add(int to, Address from) {
    emit(Instruction.VADDPS, Instruction.VADDPD, register(to), register(to), from);
  }

  /** {@code to = max(zero, to)}, where NaN stays. */
  void relu(int to, int zero) {
    emit(Instruction.VMAXPS, Instruction.VMAXPD, register(to), register(zero), register(to));
  }

  /** {@code sum += x * y}. */
  void multiplyAdd(int sum, int x, int y) {
    emit(Instruction.VFMADD231PS, Instruction.VFMADD231PD, register(sum), register(x), register(y));
  }

  void multiplyAdd(int sum, int x, Address y) {
    emit(Instruction.VFMADD231PS, Instruction.VFMADD231PD, register(sum), register(x), y);
  }

  /** Adds the lanes of a vector into its first one: halves onto halves. */
  void sumLanes(int sum, int free) {
    if (unit.isWide()) {
      Vector half = Vector.ymm(free);
      assembler.emit(Instruction.VEXTRACTF64X4, half, register(sum), Immediate.of(1));
      addLow(sum, free, 256);
    }
    // Of registers from 16 on, the halves of 256 bits need AVX-512.
    if (unit.isWide()) {
      assembler.emit(Instruction.VEXTRACTF32X4, Vector.xmm(free), Vector.ymm(sum), Immediate.of(1));
    } else {
      assembler.emit(Instruction.VEXTRACTF128, Vector.xmm(free), Vector.ymm(sum), Immediate.of(1));
    }
    addLow(sum, free, 128);
    if (!isDouble) {
      shuffle(free, sum, 0x4E);
      addLow(sum, free, 128);
      shuffle(free, sum, 0xB1);
    } else {
      assembler.emit(Instruction.VPERMILPD, Vector.xmm(free), Vector.xmm(sum), Immediate.of(1));
    }
    addLow(sum, free, 128);
  }

  private void shuffle(int to, int from, int order) {
    assembler.emit(Instruction.VPERMILPS, Vector.xmm(to), Vector.xmm(from), Immediate.of(order));
  }

  private void addLow(int sum, int x, int bits) {
    Vector to = new Vector(sum, bits);
    emit(Instruction.VADDPS, Instruction.VADDPD, to, to, new Vector(x, bits));
  }

  /** Stores the first element. */
  void storeFirst(Address to, int from) {
    emit(Instruction.VMOVSS, Instruction.VMOVSD, to, Vector.xmm(from));
  }
}
