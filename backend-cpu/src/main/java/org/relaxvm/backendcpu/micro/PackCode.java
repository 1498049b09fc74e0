package org.relaxvm.backendcpu.micro;

import org.relaxvm.machine.x64.Address;
import org.relaxvm.machine.x64.Assembler;
import org.relaxvm.machine.x64.Condition;
import org.relaxvm.machine.x64.Gp;
import org.relaxvm.machine.x64.Immediate;
import org.relaxvm.machine.x64.Instruction;
import org.relaxvm.machine.x64.Label;

/**
 * Emits what copies matrices into the order in which tiles read them. Each is a function whose
 * argument is a block of arguments.
 */
final class PackCode {
  /** Rows that are copied of all panels before the next ones, so that few pages are open. */
  private static final int CHUNK = 16;

  private final Assembler assembler;
  private final VectorUnit unit;
  private final Element element;
  private final VectorCode code;

  private PackCode(Assembler assembler, VectorUnit unit, Element element) {
    this.assembler = assembler;
    this.unit = unit;
    this.element = element;
    code = new VectorCode(assembler, unit, element);
  }

  /**
   * Emits the copy of rows with unit stride into panels: the rows of a panel follow each other.
   * {@code TO_STEP} is from panel to panel. A panel at the edge is filled up with zeros.
   */
  static void emitPanels(Assembler assembler, VectorUnit unit, Element element) {
    new PackCode(assembler, unit, element).emitPanels();
  }

  /**
   * Emits a transpose of square blocks, as long as a vector has lanes: {@code ROWS} and {@code
   * COLUMNS} count blocks of the matrix that is read. Both sides have unit stride along rows.
   */
  static void emitTranspose(Assembler assembler, VectorUnit unit, Element element) {
    new PackCode(assembler, unit, element).emitTranspose();
  }

  /** Emits a copy of single elements, of any strides on both sides. */
  static void emitElements(Assembler assembler, Element element) {
    Gp value = element == Element.FLOAT64 ? Gp.RAX : Gp.RAX.low32();
    Label row = assembler.label();
    Label column = assembler.label();
    Frame.enter(assembler);
    load(assembler, Gp.R8, PackField.FROM_STEP);
    load(assembler, Gp.R9, PackField.TO_STEP);
    load(assembler, Gp.R12, PackField.FROM);
    load(assembler, Gp.R13, PackField.TO);
    load(assembler, Gp.R14, PackField.ROWS);
    assembler.bind(row);
    assembler.emit(Instruction.MOV, Gp.RSI, Gp.R12);
    assembler.emit(Instruction.MOV, Gp.RDX, Gp.R13);
    load(assembler, Gp.RCX, PackField.COLUMNS);
    assembler.bind(column);
    assembler.emit(Instruction.MOV, value, Address.of(Gp.RSI, 0));
    assembler.emit(Instruction.MOV, Address.of(Gp.RDX, 0), value);
    assembler.emit(Instruction.ADD, Gp.RSI, Gp.R8);
    assembler.emit(Instruction.ADD, Gp.RDX, Gp.R9);
    countDown(assembler, Gp.RCX, column);
    assembler.emit(Instruction.ADD, Gp.R12, PackField.FROM_ROW_STEP.of(Gp.RDI));
    assembler.emit(Instruction.ADD, Gp.R13, PackField.TO_ROW_STEP.of(Gp.RDI));
    countDown(assembler, Gp.R14, row);
    Frame.leave(assembler);
  }

  private static void load(Assembler assembler, Gp to, PackField field) {
    assembler.emit(Instruction.MOV, to, field.of(Gp.RDI));
  }

  private static void countDown(Assembler assembler, Gp count, Label again) {
    assembler.emit(Instruction.SUB, count, Immediate.of(1));
    assembler.jump(Condition.NE, again);
  }

  private void load(Gp to, PackField field) {
    load(assembler, to, field);
  }

  private void emitPanels() {
    Label chunk = assembler.label();
    Label panel = assembler.label();
    Label edge = assembler.label();
    Label next = assembler.label();
    Label whole = assembler.label();
    Label end = assembler.label();
    Frame.enter(assembler);
    load(Gp.RAX, PackField.EDGE);
    code.setEdge(Gp.RAX);
    load(Gp.R8, PackField.FROM_STEP);
    load(Gp.R9, PackField.TO_STEP);
    load(Gp.R12, PackField.FROM);
    load(Gp.R13, PackField.TO);
    load(Gp.RBX, PackField.ROWS);
    assembler.bind(chunk);
    assembler.emit(Instruction.TEST, Gp.RBX, Gp.RBX);
    assembler.jump(Condition.E, end);
    // Rows of this chunk.
    assembler.emit(Instruction.MOV, Gp.R15, Gp.RBX);
    assembler.emit(Instruction.CMP, Gp.R15, Immediate.of(CHUNK));
    assembler.jump(Condition.LE, whole);
    assembler.emit(Instruction.MOV, Gp.R15.low32(), Immediate.of(CHUNK));
    assembler.bind(whole);
    assembler.emit(Instruction.MOV, Gp.R10, Gp.R12);
    assembler.emit(Instruction.MOV, Gp.R11, Gp.R13);
    load(Gp.R14, PackField.COLUMNS);
    assembler.emit(Instruction.TEST, Gp.R14, Gp.R14);
    assembler.jump(Condition.E, edge);
    assembler.bind(panel);
    emitRows(0);
    assembler.emit(
        Instruction.ADD, Gp.R10, Immediate.of((long) unit.panelVectors() * unit.bytes()));
    assembler.emit(Instruction.ADD, Gp.R11, Gp.R9);
    countDown(assembler, Gp.R14, panel);
    assembler.bind(edge);
    for (int vectors = 1; vectors <= unit.panelVectors(); vectors++) {
      Label other = assembler.label();
      load(Gp.RAX, PackField.EDGE_VECTORS);
      assembler.emit(Instruction.CMP, Gp.RAX, Immediate.of(vectors));
      assembler.jump(Condition.NE, other);
      emitRows(vectors);
      assembler.jump(next);
      assembler.bind(other);
    }
    assembler.bind(next);
    assembler.emit(Instruction.SUB, Gp.RBX, Gp.R15);
    for (int i = 0; i < CHUNK; i += 8) {
      assembler.emit(Instruction.LEA, Gp.R12, Address.of(Gp.R12, Gp.R8, 8, 0));
    }
    assembler.emit(
        Instruction.ADD, Gp.R13, Immediate.of((long) CHUNK * unit.panelVectors() * unit.bytes()));
    assembler.jump(chunk);
    assembler.bind(end);
    Frame.leave(assembler);
  }

  /** Rows of one panel, from r10 to r11; 0 for no edge, else the vectors up to the edge. */
  private void emitRows(int edgeVectors) {
    Label row = assembler.label();
    int vectors = unit.panelVectors();
    assembler.emit(Instruction.MOV, Gp.RSI, Gp.R10);
    assembler.emit(Instruction.MOV, Gp.RDX, Gp.R11);
    assembler.emit(Instruction.MOV, Gp.RCX, Gp.R15);
    assembler.bind(row);
    for (int vector = 0; vector < vectors; vector++) {
      Address from = Address.of(Gp.RSI, vector * unit.bytes());
      if (edgeVectors == 0 || vector < edgeVectors - 1) {
        code.load(vector, from);
      } else if (vector == edgeVectors - 1) {
        code.loadEdge(vector, from);
      } else {
        code.zero(vector);
      }
    }
    for (int vector = 0; vector < vectors; vector++) {
      code.store(Address.of(Gp.RDX, vector * unit.bytes()), vector);
    }
    assembler.emit(Instruction.ADD, Gp.RSI, Gp.R8);
    assembler.emit(Instruction.ADD, Gp.RDX, Immediate.of((long) vectors * unit.bytes()));
    countDown(assembler, Gp.RCX, row);
  }

  private void emitTranspose() {
    int lanes = unit.lanes(element);
    InRegisterTranspose transpose = new InRegisterTranspose(assembler, unit, element);
    Label rows = assembler.label();
    Label columns = assembler.label();
    Frame.enter(assembler);
    load(Gp.R8, PackField.FROM_STEP);
    load(Gp.R9, PackField.TO_STEP);
    load(Gp.R12, PackField.FROM);
    load(Gp.R13, PackField.TO);
    load(Gp.R14, PackField.ROWS);
    assembler.bind(rows);
    assembler.emit(Instruction.MOV, Gp.R10, Gp.R12);
    assembler.emit(Instruction.MOV, Gp.RDX, Gp.R13);
    load(Gp.RCX, PackField.COLUMNS);
    assembler.bind(columns);
    assembler.emit(Instruction.MOV, Gp.RSI, Gp.R10);
    for (int i = 0; i < lanes; i++) {
      code.load(i, Address.of(Gp.RSI, 0));
      assembler.emit(Instruction.ADD, Gp.RSI, Gp.R8);
    }
    for (int register : transpose.emit()) {
      code.store(Address.of(Gp.RDX, 0), register);
      assembler.emit(Instruction.ADD, Gp.RDX, Gp.R9);
    }
    assembler.emit(Instruction.ADD, Gp.R10, Immediate.of(unit.bytes()));
    countDown(assembler, Gp.RCX, columns);
    assembler.emit(Instruction.MOV, Gp.RAX, Gp.R8);
    assembler.emit(Instruction.IMUL, Gp.RAX, Gp.RAX, Immediate.of(lanes));
    assembler.emit(Instruction.ADD, Gp.R12, Gp.RAX);
    assembler.emit(Instruction.ADD, Gp.R13, Immediate.of(unit.bytes()));
    countDown(assembler, Gp.R14, rows);
    Frame.leave(assembler);
  }
}
