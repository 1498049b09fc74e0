package org.relaxvm.backendcpu.micro;

import org.relaxvm.machine.x64.Assembler;
import org.relaxvm.machine.x64.Immediate;
import org.relaxvm.machine.x64.Instruction;
import org.relaxvm.machine.x64.Operand;
import org.relaxvm.machine.x64.Vector;

/**
 * Emits the transpose of a square block of as many rows as a vector has lanes, from the first
 * registers. Pairs of rows are interleaved, then pairs of pairs for 4-byte elements; after that
 * each 128-bit part holds a piece of one column, and parts are exchanged between registers.
 */
final class InRegisterTranspose {
  private final Assembler assembler;
  private final VectorUnit unit;
  private final int lanes;
  private final boolean isDouble;

  InRegisterTranspose(Assembler assembler, VectorUnit unit, Element element) {
    this.assembler = assembler;
    this.unit = unit;
    lanes = unit.lanes(element);
    isDouble = element == Element.FLOAT64;
  }

  /** Emits it, and returns the registers of the columns in order. */
  int[] emit() {
    int columns = isDouble ? 2 : 4;
    int first = isDouble ? lanes : 0;
    if (isDouble) {
      interleave(Instruction.VUNPCKLPD, Instruction.VUNPCKHPD, 0, lanes);
    } else {
      interleave(Instruction.VUNPCKLPS, Instruction.VUNPCKHPS, 0, lanes);
      for (int i = 0; i < lanes; i += 4) {
        int from = lanes + i;
        emit(Instruction.VUNPCKLPD, i, from, from + 2);
        emit(Instruction.VUNPCKHPD, i + 1, from, from + 2);
        emit(Instruction.VUNPCKLPD, i + 2, from + 1, from + 3);
        emit(Instruction.VUNPCKHPD, i + 3, from + 1, from + 3);
      }
    }
    int free = isDouble ? 0 : lanes;
    return unit.isWide() ? exchangeFour(first, columns, free) : exchangeTwo(first, columns, free);
  }

  private void interleave(Instruction low, Instruction high, int from, int to) {
    for (int i = 0; i < lanes; i += 2) {
      emit(low, to + i, from + i, from + i + 1);
      emit(high, to + i + 1, from + i, from + i + 1);
    }
  }

  private int[] exchangeFour(int first, int columns, int free) {
    int[] result = new int[lanes];
    for (int j = 0; j < columns; j++) {
      int[] x = new int[4];
      for (int group = 0; group < x.length; group++) {
        x[group] = first + group * columns + j;
      }
      emit(Instruction.VSHUFF32X4, free, x[0], x[1], 0x44);
      emit(Instruction.VSHUFF32X4, free + 1, x[0], x[1], 0xEE);
      emit(Instruction.VSHUFF32X4, free + 2, x[2], x[3], 0x44);
      emit(Instruction.VSHUFF32X4, free + 3, x[2], x[3], 0xEE);
      emit(Instruction.VSHUFF32X4, x[0], free, free + 2, 0x88);
      emit(Instruction.VSHUFF32X4, x[1], free, free + 2, 0xDD);
      emit(Instruction.VSHUFF32X4, x[2], free + 1, free + 3, 0x88);
      emit(Instruction.VSHUFF32X4, x[3], free + 1, free + 3, 0xDD);
      for (int part = 0; part < x.length; part++) {
        result[part * columns + j] = x[part];
      }
    }
    return result;
  }

  private int[] exchangeTwo(int first, int columns, int free) {
    int[] result = new int[lanes];
    for (int j = 0; j < columns; j++) {
      int low = free + 2 * j;
      emit(Instruction.VPERM2F128, low, first + j, first + columns + j, 0x20);
      emit(Instruction.VPERM2F128, low + 1, first + j, first + columns + j, 0x31);
      result[j] = low;
      result[columns + j] = low + 1;
    }
    return result;
  }

  private void emit(Instruction instruction, int to, int x, int y) {
    assembler.emit(instruction, register(to), register(x), register(y));
  }

  private void emit(Instruction instruction, int to, int x, int y, int choice) {
    Operand[] operands = {register(to), register(x), register(y), Immediate.of(choice)};
    assembler.emit(instruction, operands);
  }

  private Vector register(int number) {
    return new Vector(number, unit.bits());
  }
}
