package org.relaxvm.backendcpu.micro;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.machine.x64.Address;
import org.relaxvm.machine.x64.Assembler;
import org.relaxvm.machine.x64.Condition;
import org.relaxvm.machine.x64.Gp;
import org.relaxvm.machine.x64.Immediate;
import org.relaxvm.machine.x64.Instruction;
import org.relaxvm.machine.x64.Label;

/**
 * Emits a tile: some rows of the left matrix times some vectors of columns of the right one, over
 * the inner dimension, with all sums in registers.
 *
 * <p>It is called with the block of arguments in rdi, its rows of the left matrix in rax, its panel
 * of the right one in rbx, its output in rcx, the step of rows of the right matrix and three times
 * that in r8 and r9, those of the left one in r10 and r11. It changes rax, rbx, rcx, rdx, rsi, rbp,
 * r12 and all vectors.
 */
final class TileCode {
  /** The sums are added to what is in the output. */
  static final int ADD = 1;

  /** A matrix is added, in the same positions as the output. */
  static final int WITH_RESIDUAL = 2;

  /** One row is added to all rows. */
  static final int WITH_BIAS = 4;

  /** Negative results become zero. */
  static final int WITH_RELU = 8;

  private static final int UNROLLED = 4;
  private static final int LINE = 64;
  private static final Gp[] BASES = {Gp.RAX, Gp.RSI, Gp.RBP};

  /** Rows reached from one base: by the step and by three times the step, scaled. */
  private static final int[] REACHED = {0, 1, 2, 3, 4, 6, 8, 12};

  private final Assembler assembler;
  private final VectorCode code;
  private final Element element;
  private final int rows;
  private final int vectors;
  private final boolean hasEdge;
  private final int vectorBytes;
  // Registers: sums, then vectors of the right matrix, then elements of the left one.
  private final int rightRegister;
  private final int leftRegister;
  private final int leftRegisters;
  private final List<Integer> baseRows = new ArrayList<>();
  private final int[] baseOf;

  private TileCode(
      Assembler assembler,
      VectorUnit unit,
      Element element,
      int rows,
      int vectors,
      boolean hasEdge) {
    this.assembler = assembler;
    this.element = element;
    this.rows = rows;
    this.vectors = vectors;
    this.hasEdge = hasEdge;
    code = new VectorCode(assembler, unit, element);
    vectorBytes = unit.bytes();
    rightRegister = rows * vectors;
    leftRegister = rightRegister + vectors;
    int last = unit.registers() - (unit.isWide() ? 0 : 1);
    leftRegisters = Math.min(rows, last - leftRegister);
    if (leftRegisters < 1) {
      throw new IllegalArgumentException(
          "a tile of %d rows and %d vectors does not fit %d registers"
              .formatted(rows, vectors, unit.registers()));
    }
    baseOf = assignBases();
  }

  /**
   * Emits a tile, which ends with a return.
   *
   * @param hasEdge whether the last vector has the mask of the block
   */
  static void emit(
      Assembler assembler,
      VectorUnit unit,
      Element element,
      int rows,
      int vectors,
      boolean hasEdge) {
    new TileCode(assembler, unit, element, rows, vectors, hasEdge).emit();
  }

  /** Which base each row is reached from; bases are the first rows that no other one reaches. */
  private int[] assignBases() {
    int[] bases = new int[rows];
    boolean[] isReached = new boolean[rows];
    for (int row = 0; row < rows; row++) {
      if (!isReached[row]) {
        for (int distance : REACHED) {
          if (row + distance < rows && !isReached[row + distance]) {
            isReached[row + distance] = true;
            bases[row + distance] = baseRows.size();
          }
        }
        baseRows.add(row);
      }
    }
    return bases;
  }

  private void emit() {
    emitBases();
    for (int i = 0; i < rows * vectors; i++) {
      code.zero(i);
    }
    prefetchOutput();
    multiply();
    finish();
    assembler.emit(Instruction.RET);
  }

  private void emitBases() {
    for (int i = 1; i < baseRows.size(); i++) {
      int distance = baseRows.get(i) - baseRows.get(i - 1);
      assembler.emit(Instruction.LEA, BASES[i], Address.of(BASES[i - 1], Gp.R10, 4, 0));
      for (int j = 4; j < distance; j++) {
        assembler.emit(Instruction.ADD, BASES[i], Gp.R10);
      }
      if (distance < 4) {
        throw new IllegalStateException("bases are 4 rows apart or more, but got " + distance);
      }
    }
  }

  private Address left(int row, int step) {
    int base = baseOf[row];
    int distance = row - baseRows.get(base);
    int displacement = step * element.bytes();
    if (distance == 0) {
      return Address.of(BASES[base], displacement);
    }
    boolean isThreefold = distance % 3 == 0;
    return Address.of(
        BASES[base],
        isThreefold ? Gp.R11 : Gp.R10,
        isThreefold ? distance / 3 : distance,
        displacement);
  }

  private Address right(int step, int vector) {
    int displacement = vector * vectorBytes;
    return switch (step) {
      case 0 -> Address.of(Gp.RBX, displacement);
      case 1 -> Address.of(Gp.RBX, Gp.R8, 1, displacement);
      case 2 -> Address.of(Gp.RBX, Gp.R8, 2, displacement);
      default -> Address.of(Gp.RBX, Gp.R9, 1, displacement);
    };
  }

  private void prefetchOutput() {
    assembler.emit(Instruction.MOV, Gp.RDX, Gp.RCX);
    assembler.emit(Instruction.MOV, Gp.R12, BlockField.OUT_STEP.of(Gp.RDI));
    for (int row = 0; row < rows; row++) {
      for (int at = 0; at < vectors * vectorBytes; at += LINE) {
        assembler.emit(Instruction.PREFETCHT0, Address.of(Gp.RDX, at));
      }
      if (row < rows - 1) {
        assembler.emit(Instruction.ADD, Gp.RDX, Gp.R12);
      }
    }
  }

  private void multiply() {
    Label loop = assembler.label();
    Label remainder = assembler.label();
    Label single = assembler.label();
    Label done = assembler.label();
    assembler.emit(Instruction.MOV, Gp.RDX, BlockField.DEPTH.of(Gp.RDI));
    assembler.emit(Instruction.SUB, Gp.RDX, Immediate.of(UNROLLED));
    assembler.jump(Condition.L, remainder);
    assembler.align(32);
    assembler.bind(loop);
    for (int step = 0; step < UNROLLED; step++) {
      emitStep(step);
    }
    advance(UNROLLED);
    assembler.emit(Instruction.SUB, Gp.RDX, Immediate.of(UNROLLED));
    assembler.jump(Condition.GE, loop);
    assembler.bind(remainder);
    assembler.emit(Instruction.ADD, Gp.RDX, Immediate.of(UNROLLED));
    assembler.jump(Condition.E, done);
    assembler.bind(single);
    emitStep(0);
    advance(1);
    assembler.emit(Instruction.SUB, Gp.RDX, Immediate.of(1));
    assembler.jump(Condition.NE, single);
    assembler.bind(done);
  }

  private void emitStep(int step) {
    for (int vector = 0; vector < vectors; vector++) {
      if (isEdge(vector)) {
        code.loadEdge(rightRegister + vector, right(step, vector));
      } else {
        code.load(rightRegister + vector, right(step, vector));
      }
    }
    for (int row = 0; row < rows; row++) {
      int element = leftRegister + row % leftRegisters;
      code.broadcast(element, left(row, step));
      for (int vector = 0; vector < vectors; vector++) {
        code.multiplyAdd(sum(row, vector), element, rightRegister + vector);
      }
    }
  }

  private void advance(int steps) {
    for (int i = 0; i < baseRows.size(); i++) {
      assembler.emit(Instruction.ADD, BASES[i], Immediate.of((long) steps * element.bytes()));
    }
    assembler.emit(Instruction.LEA, Gp.RBX, Address.of(Gp.RBX, Gp.R8, steps, 0));
  }

  private boolean isEdge(int vector) {
    return hasEdge && vector == vectors - 1;
  }

  private int sum(int row, int vector) {
    return row * vectors + vector;
  }

  /** Adds what is to be added, and stores. */
  private void finish() {
    Label isStored = assembler.label();
    Label noAddition = assembler.label();
    Label noResidual = assembler.label();
    Label noBias = assembler.label();
    assembler.emit(Instruction.MOV, Gp.RDX, BlockField.FLAGS.of(Gp.RDI));
    assembler.emit(Instruction.TEST, Gp.RDX, Gp.RDX);
    assembler.jump(Condition.E, isStored);
    // Columns before this panel, in bytes.
    assembler.emit(Instruction.MOV, Gp.RSI, Gp.RCX);
    assembler.emit(Instruction.SUB, Gp.RSI, BlockField.OUT.of(Gp.RDI));

    assembler.emit(Instruction.TEST, Gp.RDX, Immediate.of(ADD));
    assembler.jump(Condition.E, noAddition);
    assembler.emit(Instruction.MOV, Gp.RAX, Gp.RCX);
    addRows();
    assembler.bind(noAddition);

    assembler.emit(Instruction.TEST, Gp.RDX, Immediate.of(WITH_RESIDUAL));
    assembler.jump(Condition.E, noResidual);
    assembler.emit(Instruction.MOV, Gp.RAX, BlockField.RESIDUAL.of(Gp.RDI));
    assembler.emit(Instruction.ADD, Gp.RAX, Gp.RSI);
    assembler.emit(Instruction.MOV, Gp.R12, BlockField.RESIDUAL_STEP.of(Gp.RDI));
    addRows();
    assembler.emit(Instruction.MOV, Gp.R12, BlockField.OUT_STEP.of(Gp.RDI));
    assembler.bind(noResidual);

    assembler.emit(Instruction.TEST, Gp.RDX, Immediate.of(WITH_BIAS));
    assembler.jump(Condition.E, noBias);
    assembler.emit(Instruction.ADD, Gp.RSI, BlockField.BIAS.of(Gp.RDI));
    for (int vector = 0; vector < vectors; vector++) {
      Address from = Address.of(Gp.RSI, vector * vectorBytes);
      if (isEdge(vector)) {
        code.loadEdge(rightRegister + vector, from);
      } else {
        code.load(rightRegister + vector, from);
      }
      for (int row = 0; row < rows; row++) {
        code.add(sum(row, vector), rightRegister + vector);
      }
    }
    assembler.bind(noBias);

    assembler.emit(Instruction.TEST, Gp.RDX, Immediate.of(WITH_RELU));
    assembler.jump(Condition.E, isStored);
    code.zero(rightRegister);
    for (int i = 0; i < rows * vectors; i++) {
      code.relu(i, rightRegister);
    }
    assembler.bind(isStored);
    for (int row = 0; row < rows; row++) {
      for (int vector = 0; vector < vectors; vector++) {
        Address to = Address.of(Gp.RCX, vector * vectorBytes);
        if (isEdge(vector)) {
          code.storeEdge(to, sum(row, vector));
        } else {
          code.store(to, sum(row, vector));
        }
      }
      if (row < rows - 1) {
        assembler.emit(Instruction.ADD, Gp.RCX, Gp.R12);
      }
    }
  }

  /** Adds rows from the address in rax on, with the step in r12. */
  private void addRows() {
    for (int row = 0; row < rows; row++) {
      for (int vector = 0; vector < vectors; vector++) {
        Address from = Address.of(Gp.RAX, vector * vectorBytes);
        if (isEdge(vector)) {
          code.loadEdge(rightRegister, from);
          code.add(sum(row, vector), rightRegister);
        } else {
          code.add(sum(row, vector), from);
        }
      }
      if (row < rows - 1) {
        assembler.emit(Instruction.ADD, Gp.RAX, Gp.R12);
      }
    }
  }
}
