package org.relaxvm.backendcpu.micro;

import org.relaxvm.machine.x64.Address;
import org.relaxvm.machine.x64.Assembler;
import org.relaxvm.machine.x64.Condition;
import org.relaxvm.machine.x64.Gp;
import org.relaxvm.machine.x64.Immediate;
import org.relaxvm.machine.x64.Instruction;
import org.relaxvm.machine.x64.Label;

/**
 * Emits the loops over the tiles of a block of the output: strips of rows of one or two heights,
 * and for each the panels of columns. A strip of the left matrix stays in the first-level cache,
 * and the panels, which each strip reads, in the second.
 */
final class BlockCode {
  private final Assembler assembler;

  private BlockCode(Assembler assembler) {
    this.assembler = assembler;
  }

  /** Emits the function, whose argument is the block of arguments. */
  static void emit(Assembler assembler, VectorUnit unit) {
    new BlockCode(assembler).emit(new VectorCode(assembler, unit, Element.FLOAT32));
  }

  private void emit(VectorCode code) {
    Frame.enter(assembler);
    load(Gp.RAX, BlockField.EDGE);
    code.setEdge(Gp.RAX);
    load(Gp.R8, BlockField.RIGHT_STEP);
    assembler.emit(Instruction.LEA, Gp.R9, Address.of(Gp.R8, Gp.R8, 2, 0));
    load(Gp.R10, BlockField.LEFT_STEP);
    assembler.emit(Instruction.LEA, Gp.R11, Address.of(Gp.R10, Gp.R10, 2, 0));
    emitStrips(false);
    emitStrips(true);
    Frame.leave(assembler);
  }

  private void emitStrips(boolean isSecond) {
    Label end = assembler.label();
    load(Gp.RAX, field(BlockField.FIRST_STRIPS, isSecond));
    assembler.emit(Instruction.TEST, Gp.RAX, Gp.RAX);
    assembler.jump(Condition.E, end);
    store(BlockField.STRIPS_LEFT, Gp.RAX);
    Label strip = assembler.label();
    Label panel = assembler.label();
    Label edge = assembler.label();
    Label noEdge = assembler.label();
    assembler.bind(strip);
    load(Gp.RBX, BlockField.RIGHT);
    store(BlockField.RIGHT_AT, Gp.RBX);
    load(Gp.RCX, BlockField.OUT);
    store(BlockField.OUT_AT, Gp.RCX);
    load(Gp.RAX, BlockField.PANELS);
    store(BlockField.PANELS_LEFT, Gp.RAX);
    assembler.emit(Instruction.TEST, Gp.RAX, Gp.RAX);
    assembler.jump(Condition.E, edge);

    assembler.bind(panel);
    loadPlace();
    assembler.emit(Instruction.CALL, field(BlockField.FIRST_TILE, isSecond).of(Gp.RDI));
    increase(BlockField.RIGHT_AT, BlockField.PANEL_STEP);
    increase(BlockField.OUT_AT, BlockField.OUT_PANEL_STEP);
    countDown(BlockField.PANELS_LEFT, panel);

    assembler.bind(edge);
    load(Gp.RDX, field(BlockField.FIRST_EDGE_TILE, isSecond));
    assembler.emit(Instruction.TEST, Gp.RDX, Gp.RDX);
    assembler.jump(Condition.E, noEdge);
    loadPlace();
    assembler.emit(Instruction.CALL, Gp.RDX);
    assembler.bind(noEdge);
    increase(BlockField.LEFT, field(BlockField.FIRST_LEFT_STEP, isSecond));
    increase(BlockField.OUT, field(BlockField.FIRST_OUT_STEP, isSecond));
    increase(BlockField.RESIDUAL, field(BlockField.FIRST_RESIDUAL_STEP, isSecond));
    countDown(BlockField.STRIPS_LEFT, strip);
    assembler.bind(end);
  }

  private static BlockField field(BlockField first, boolean isSecond) {
    return isSecond ? first.second() : first;
  }

  private void loadPlace() {
    load(Gp.RAX, BlockField.LEFT);
    load(Gp.RBX, BlockField.RIGHT_AT);
    load(Gp.RCX, BlockField.OUT_AT);
  }

  private void load(Gp to, BlockField field) {
    assembler.emit(Instruction.MOV, to, field.of(Gp.RDI));
  }

  private void store(BlockField field, Gp from) {
    assembler.emit(Instruction.MOV, field.of(Gp.RDI), from);
  }

  private void increase(BlockField field, BlockField by) {
    load(Gp.RAX, by);
    assembler.emit(Instruction.ADD, field.of(Gp.RDI), Gp.RAX);
  }

  private void countDown(BlockField field, Label again) {
    assembler.emit(Instruction.SUB, field.of(Gp.RDI).ofBytes(Long.BYTES), Immediate.of(1));
    assembler.jump(Condition.NE, again);
  }
}
