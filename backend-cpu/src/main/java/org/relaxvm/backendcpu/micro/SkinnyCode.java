package org.relaxvm.backendcpu.micro;

import org.relaxvm.machine.x64.Address;
import org.relaxvm.machine.x64.Assembler;
import org.relaxvm.machine.x64.Condition;
import org.relaxvm.machine.x64.Gp;
import org.relaxvm.machine.x64.Immediate;
import org.relaxvm.machine.x64.Instruction;
import org.relaxvm.machine.x64.Label;

/**
 * Emits GEMV and GEMM of few rows, which read the right matrix once, as it is in memory. Each is a
 * function whose argument is a block of arguments.
 */
final class SkinnyCode {
  private static final Gp[] POINTERS = {
    Gp.RSI, Gp.RAX, Gp.RBX, Gp.RBP, Gp.R12, Gp.R13, Gp.R14, Gp.R15
  };
  private static final int UNROLLED = 2;

  private final Assembler assembler;
  private final VectorUnit unit;
  private final Element element;
  private final VectorCode code;
  private final int rows;
  private final int streams;

  private SkinnyCode(Assembler assembler, VectorUnit unit, Element element, int rows, int streams) {
    this.assembler = assembler;
    this.unit = unit;
    this.element = element;
    this.rows = rows;
    this.streams = streams;
    code = new VectorCode(assembler, unit, element);
  }

  /** Rows of the right matrix that {@link #emitSweep} reads at once, for rows of the left one. */
  static int sweepStreams(VectorUnit unit, int rows) {
    int most = unit.isWide() ? 16 : 8;
    return Integer.highestOneBit(Math.max(1, Math.min(4, most / rows)));
  }

  /** Columns of the right matrix that {@link #emitDots} reads at once, for rows of the left one. */
  static int dotStreams(VectorUnit unit, int rows) {
    int most = unit.isWide() ? 16 : 8;
    return Integer.highestOneBit(Math.max(1, Math.min(8, most / rows)));
  }

  /**
   * Emits sums of rows of the right matrix, which have unit stride: for each row of the left one,
   * the sums of a strip of columns are in memory, and the products of some rows of the right matrix
   * are added at once. Sums are padded to whole vectors.
   */
  static void emitSweep(
      Assembler assembler, VectorUnit unit, Element element, int rows, int streams) {
    new SkinnyCode(assembler, unit, element, rows, streams).emitSweep();
  }

  /**
   * Emits dot products of rows of the left matrix with columns of the right one, which have unit
   * stride: of some columns at once.
   */
  static void emitDots(
      Assembler assembler, VectorUnit unit, Element element, int rows, int streams) {
    new SkinnyCode(assembler, unit, element, rows, streams).emitDots();
  }

  private void load(Gp to, SkinnyField field) {
    assembler.emit(Instruction.MOV, to, field.of(Gp.RDI));
  }

  private void setEdge() {
    load(Gp.RAX, SkinnyField.EDGE);
    code.setEdge(Gp.RAX);
  }

  private void setPointers() {
    load(POINTERS[0], SkinnyField.RIGHT);
    load(Gp.RDX, SkinnyField.RIGHT_DISTANCE);
    for (int i = 1; i < streams; i++) {
      assembler.emit(Instruction.LEA, POINTERS[i], Address.of(POINTERS[i - 1], Gp.RDX, 1, 0));
    }
  }

  private void emitSweep() {
    Label next = assembler.label();
    Label single = assembler.label();
    Label loop = assembler.label();
    Label singles = assembler.label();
    Label edge = assembler.label();
    Label done = assembler.label();
    Frame.enter(assembler);
    setEdge();
    setPointers();
    load(Gp.R8, SkinnyField.LEFT);
    load(Gp.R9, SkinnyField.SUMS_STEP);
    assembler.bind(next);
    // Elements of the left matrix stay in registers for a whole strip.
    assembler.emit(Instruction.MOV, Gp.R11, Gp.R8);
    for (int row = 0; row < rows; row++) {
      assembler.emit(Instruction.MOV, Gp.RDX, Gp.R11);
      for (int stream = 0; stream < streams; stream++) {
        code.broadcast(factor(row, stream), Address.of(Gp.RDX, 0));
        if (stream < streams - 1) {
          assembler.emit(Instruction.ADD, Gp.RDX, SkinnyField.LEFT_DISTANCE.of(Gp.RDI));
        }
      }
      assembler.emit(Instruction.ADD, Gp.R11, SkinnyField.LEFT_STEP.of(Gp.RDI));
    }
    load(Gp.R10, SkinnyField.SUMS);
    assembler.emit(Instruction.XOR, Gp.RDX.low32(), Gp.RDX.low32());
    load(Gp.RCX, SkinnyField.VECTORS);
    assembler.emit(Instruction.SUB, Gp.RCX, Immediate.of(UNROLLED));
    assembler.jump(Condition.L, single);
    assembler.align(32);
    assembler.bind(loop);
    for (int i = 0; i < UNROLLED; i++) {
      addVector(i * unit.bytes(), false);
    }
    advance(UNROLLED);
    assembler.emit(Instruction.SUB, Gp.RCX, Immediate.of(UNROLLED));
    assembler.jump(Condition.GE, loop);
    assembler.bind(single);
    assembler.emit(Instruction.ADD, Gp.RCX, Immediate.of(UNROLLED));
    assembler.jump(Condition.E, edge);
    assembler.bind(singles);
    addVector(0, false);
    advance(1);
    assembler.emit(Instruction.SUB, Gp.RCX, Immediate.of(1));
    assembler.jump(Condition.NE, singles);
    assembler.bind(edge);
    load(Gp.R11, SkinnyField.HAS_EDGE);
    assembler.emit(Instruction.TEST, Gp.R11, Gp.R11);
    assembler.jump(Condition.E, done);
    addVector(0, true);
    assembler.bind(done);
    assembler.emit(Instruction.ADD, Gp.R8, Immediate.of(element.bytes()));
    load(Gp.RDX, SkinnyField.RIGHT_STEP);
    for (int i = 0; i < streams; i++) {
      assembler.emit(Instruction.ADD, POINTERS[i], Gp.RDX);
    }
    countDown(next);
    Frame.leave(assembler);
  }

  private void countDown(Label again) {
    assembler.emit(
        Instruction.SUB, SkinnyField.COUNT.of(Gp.RDI).ofBytes(Long.BYTES), Immediate.of(1));
    assembler.jump(Condition.NE, again);
  }

  private void advance(int vectors) {
    Immediate bytes = Immediate.of((long) vectors * unit.bytes());
    assembler.emit(Instruction.ADD, Gp.RDX, bytes);
    assembler.emit(Instruction.ADD, Gp.R10, bytes);
  }

  private int factor(int row, int stream) {
    return row * streams + stream;
  }

  /** Adds the products of one vector of columns to the sums of all rows. */
  private void addVector(int displacement, boolean isEdge) {
    int sum = rows * streams;
    int right = sum + 1;
    boolean isInMemory = rows == 1 && !isEdge;
    for (int stream = 0; stream < streams && !isInMemory && rows > 1; stream++) {
      int into = right + stream;
      if (into >= lastRegister()) {
        throw new IllegalStateException("too few registers for " + rows + " rows");
      }
      loadRight(into, stream, displacement, isEdge);
    }
    assembler.emit(Instruction.MOV, Gp.R11, Gp.R10);
    for (int row = 0; row < rows; row++) {
      Address sums = Address.of(Gp.R11, displacement);
      code.load(sum, sums);
      for (int stream = 0; stream < streams; stream++) {
        if (isInMemory) {
          Address from = Address.of(POINTERS[stream], Gp.RDX, 1, displacement);
          code.multiplyAdd(sum, factor(row, stream), from);
        } else if (rows == 1) {
          loadRight(right, stream, displacement, isEdge);
          code.multiplyAdd(sum, factor(row, stream), right);
        } else {
          code.multiplyAdd(sum, factor(row, stream), right + stream);
        }
      }
      code.store(sums, sum);
      if (row < rows - 1) {
        assembler.emit(Instruction.ADD, Gp.R11, Gp.R9);
      }
    }
  }

  private void loadRight(int into, int stream, int displacement, boolean isEdge) {
    Address from = Address.of(POINTERS[stream], Gp.RDX, 1, displacement);
    if (isEdge) {
      code.loadEdge(into, from);
    } else {
      code.load(into, from);
    }
  }

  private int lastRegister() {
    return unit.registers() - (unit.isWide() ? 0 : 1);
  }

  private void emitDots() {
    Label next = assembler.label();
    Label loop = assembler.label();
    Label edge = assembler.label();
    Label done = assembler.label();
    Frame.enter(assembler);
    setEdge();
    setPointers();
    load(Gp.R10, SkinnyField.SUMS);
    load(Gp.R9, SkinnyField.LEFT_STEP);
    assembler.bind(next);
    for (int i = 0; i < rows * streams; i++) {
      code.zero(i);
    }
    load(Gp.R8, SkinnyField.LEFT);
    assembler.emit(Instruction.XOR, Gp.RDX.low32(), Gp.RDX.low32());
    load(Gp.RCX, SkinnyField.VECTORS);
    assembler.emit(Instruction.TEST, Gp.RCX, Gp.RCX);
    assembler.jump(Condition.E, edge);
    assembler.align(32);
    assembler.bind(loop);
    multiplyDots(false);
    assembler.emit(Instruction.ADD, Gp.RDX, Immediate.of(unit.bytes()));
    assembler.emit(Instruction.ADD, Gp.R8, Immediate.of(unit.bytes()));
    assembler.emit(Instruction.SUB, Gp.RCX, Immediate.of(1));
    assembler.jump(Condition.NE, loop);
    assembler.bind(edge);
    load(Gp.R11, SkinnyField.HAS_EDGE);
    assembler.emit(Instruction.TEST, Gp.R11, Gp.R11);
    assembler.jump(Condition.E, done);
    multiplyDots(true);
    assembler.bind(done);
    int free = rows * streams;
    assembler.emit(Instruction.MOV, Gp.R11, Gp.R10);
    for (int row = 0; row < rows; row++) {
      for (int stream = 0; stream < streams; stream++) {
        int sum = row * streams + stream;
        code.sumLanes(sum, free);
        code.storeFirst(Address.of(Gp.R11, stream * element.bytes()), sum);
      }
      if (row < rows - 1) {
        assembler.emit(Instruction.ADD, Gp.R11, SkinnyField.SUMS_STEP.of(Gp.RDI));
      }
    }
    assembler.emit(Instruction.ADD, Gp.R10, Immediate.of((long) streams * element.bytes()));
    load(Gp.RDX, SkinnyField.RIGHT_STEP);
    for (int i = 0; i < streams; i++) {
      assembler.emit(Instruction.ADD, POINTERS[i], Gp.RDX);
    }
    countDown(next);
    Frame.leave(assembler);
  }

  /** Adds the products of one vector of the inner dimension. */
  private void multiplyDots(boolean isEdge) {
    int left = rows * streams;
    int right = left + 1;
    assembler.emit(Instruction.MOV, Gp.R11, Gp.R8);
    boolean isKept = right + streams <= lastRegister();
    for (int stream = 0; stream < streams && isKept; stream++) {
      loadRight(right + stream, stream, 0, isEdge);
    }
    for (int row = 0; row < rows; row++) {
      Address from = Address.of(Gp.R11, 0);
      if (isEdge) {
        code.loadEdge(left, from);
      } else {
        code.load(left, from);
      }
      for (int stream = 0; stream < streams; stream++) {
        if (!isKept) {
          loadRight(right, stream, 0, isEdge);
        }
        code.multiplyAdd(row * streams + stream, left, isKept ? right + stream : right);
      }
      if (row < rows - 1) {
        assembler.emit(Instruction.ADD, Gp.R11, Gp.R9);
      }
    }
  }
}
