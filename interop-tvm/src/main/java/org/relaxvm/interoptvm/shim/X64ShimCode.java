package org.relaxvm.interoptvm.shim;

import java.util.List;
import java.util.Set;
import org.relaxvm.interoptvm.abi.Cell;
import org.relaxvm.interoptvm.abi.FunctionHandles;
import org.relaxvm.interoptvm.abi.ListCells;
import org.relaxvm.interoptvm.abi.TypeIndex;
import org.relaxvm.machine.x64.Address;
import org.relaxvm.machine.x64.Assembler;
import org.relaxvm.machine.x64.Condition;
import org.relaxvm.machine.x64.Gp;
import org.relaxvm.machine.x64.Immediate;
import org.relaxvm.machine.x64.Instruction;
import org.relaxvm.machine.x64.Label;

/**
 * Code of a shim for x86-64 in the System V ABI. It uses no vector registers and needs no feature
 * beyond x86-64.
 *
 * <p>Functions that read and write registers of compiled code have a list in {@code rdi}, an index
 * in {@code esi}, cells in {@code rdx} and the index of one of them in {@code ecx}.
 *
 * <p>Source: docs/spec/native-library.md, section 6.4.
 */
final class X64ShimCode {
  private static final int WORD = 8;
  private static final int CELL_SHIFT = Integer.numberOfTrailingZeros(Cell.BYTES);

  private static final Gp LIST = Gp.RDI;
  private static final Gp INDEX = Gp.RSI;
  private static final Gp CELLS = Gp.RDX;
  private static final Gp CELL_INDEX = Gp.RCX;

  private final Assembler assembler = Assembler.of(Set.of());

  private X64ShimCode() {}

  /** As {@link ShimCode#write}. */
  static byte[] write(List<String> functions, int table) {
    X64ShimCode code = new X64ShimCode();
    Label words = code.assembler.label();
    code.assembler.bind(words, table);
    for (int i = 0; i < functions.size(); i++) {
      code.function(functions.get(i), Address.of(words).plus(i * WORD));
      code.fill((i + 1) * ShimCode.X86_64.stride());
    }
    return code.assembler.finish();
  }

  private void function(String name, Address target) {
    switch (name) {
      case ElfShim.STACK_POINTER -> returnStackPointer();
      case ElfShim.CALL_WITHIN -> callWithin();
      default -> {
        Label other = assembler.label();
        switch (name) {
          case RuntimeSymbols.INIT_ONCE -> returnIfSet(other);
          case RuntimeSymbols.CALL -> callOfNull(other);
          case RuntimeSymbols.SET_PACKED_ARG -> readElement(other);
          case RuntimeSymbols.MOVE_FROM_RETURN -> moveElement(other);
          case RuntimeSymbols.RESET_ITEM -> resetElement(other);
          default -> {}
        }
        assembler.bind(other);
        assembler.emit(Instruction.JMP, target);
      }
    }
  }

  private void fill(int end) {
    if (assembler.size() > end) {
      throw new IllegalStateException(
          "a function of the shim ends at %d, after %d".formatted(assembler.size(), end));
    }
    while (assembler.size() < end) {
      assembler.emit(Instruction.INT3);
    }
  }

  private void returnStackPointer() {
    assembler.emit(Instruction.MOV, Gp.RAX, Gp.RSP);
    assembler.emit(Instruction.RET);
  }

  /**
   * Jumps to the address in the first argument, which becomes 0, if the stack ends within the range
   * that the fifth and sixth arguments give as start and length. Otherwise writes {@link
   * ElfShim#REFUSED} where the fourth argument points and returns it.
   */
  private void callWithin() {
    Label refused = assembler.label();
    assembler.emit(Instruction.MOV, Gp.RAX, Gp.RSP);
    assembler.emit(Instruction.SUB, Gp.RAX, Gp.R8);
    assembler.emit(Instruction.CMP, Gp.RAX, Gp.R9);
    assembler.jump(Condition.AE, refused);
    assembler.emit(Instruction.MOV, Gp.RAX, Gp.RDI);
    clear(Gp.RDI);
    assembler.emit(Instruction.JMP, Gp.RAX);
    assembler.bind(refused);
    assembler.emit(Instruction.MOV, Gp.RAX.low32(), Immediate.of(ElfShim.REFUSED));
    assembler.emit(Instruction.MOV, Address.of(Gp.RCX, 0), Gp.RAX.low32());
    assembler.emit(Instruction.RET);
  }

  /** Returns 0 if the first argument points to a word that is not 0. Loads have acquire order. */
  private void returnIfSet(Label other) {
    assembler.emit(Instruction.CMP, Address.of(Gp.RDI, 0).ofBytes(WORD), Immediate.of(0));
    assembler.jump(Condition.E, other);
    returnZero();
  }

  /**
   * Writes an empty cell to the fourth argument and returns 0 if the first one is a handle that
   * begins with {@link FunctionHandles#OF_NULL}.
   */
  private void callOfNull(Label other) {
    assembler.emit(Instruction.MOV, Gp.RAX, Immediate.of(FunctionHandles.OF_NULL));
    assembler.emit(Instruction.XOR, Gp.RAX, Gp.RDI);
    assembler.emit(Instruction.SHR, Gp.RAX, Immediate.of(32));
    assembler.jump(Condition.NE, other);
    // The shift left 0 in rax.
    store(Gp.RCX, Gp.RAX, Gp.RAX);
    returnZero();
  }

  /** Copies an element of a list to a cell and returns 0, if the list has such an element. */
  private void readElement(Label other) {
    Gp element = Gp.RAX;
    Gp cell = Gp.RCX;
    checkIndex(ListCells.COUNT, other);
    addressOf(element, LIST, INDEX, Instruction.MOV);
    addressOf(cell, CELLS, CELL_INDEX, Instruction.MOVSXD);
    assembler.emit(Instruction.MOV, Gp.R8, Address.of(element, 0));
    assembler.emit(Instruction.MOV, Gp.R9, Address.of(element, WORD));
    store(cell, Gp.R8, Gp.R9);
    returnZero();
  }

  /** Moves a cell into a list and returns 0, unless Java has to take it over. */
  private void moveElement(Label other) {
    Gp element = Gp.RAX;
    Gp cell = Gp.R8;
    Gp type = Gp.R9;
    Gp word = Gp.R10;
    Label move = assembler.label();
    checkIndex(ListCells.WRITABLE, other);
    elementToReplace(element, other);
    addressOf(cell, CELLS, CELL_INDEX, Instruction.MOVSXD);
    // Clears the mark of an owned result, which is in the upper half.
    assembler.emit(Instruction.MOV, type.low32(), Address.of(cell, 0));
    assembler.emit(Instruction.CMP, type.low32(), Immediate.of(TypeIndex.DEVICE));
    assembler.jump(Condition.BE, move);
    assembler.emit(Instruction.CMP, type.low32(), Immediate.of(TypeIndex.OBJECT));
    assembler.jump(Condition.B, other);
    Address mark = Address.of(cell, Integer.BYTES).ofBytes(Integer.BYTES);
    assembler.emit(Instruction.CMP, mark, Immediate.of(Cell.OWNED));
    assembler.jump(Condition.NE, other);
    assembler.bind(move);
    assembler.emit(Instruction.MOV, word, Address.of(cell, WORD));
    store(element, type, word);
    assembler.emit(Instruction.MOV, Address.of(cell, 0).ofBytes(WORD), Immediate.of(0));
    returnZero();
  }

  /** Clears an element of a list and returns 0, unless Java has to release it. */
  private void resetElement(Label other) {
    Gp element = Gp.RAX;
    checkIndex(ListCells.WRITABLE, other);
    elementToReplace(element, other);
    clear(Gp.RCX);
    store(element, Gp.RCX, Gp.RCX);
    returnZero();
  }

  /** Tests for a list, and that the index is below a number before its first cell. */
  private void checkIndex(int limit, Label other) {
    assembler.emit(Instruction.TEST, LIST, LIST);
    assembler.jump(Condition.E, other);
    assembler.emit(Instruction.CMP, INDEX.low32(), Address.of(LIST, limit));
    assembler.jump(Condition.AE, other);
  }

  /** The address of an element, which must not be an object. */
  private void elementToReplace(Gp element, Label other) {
    addressOf(element, LIST, INDEX, Instruction.MOV);
    Address type = Address.of(element, 0).ofBytes(Integer.BYTES);
    assembler.emit(Instruction.CMP, type, Immediate.of(TypeIndex.OBJECT));
    assembler.jump(Condition.AE, other);
  }

  /**
   * The address of a cell.
   *
   * @param extend {@code MOV} for an index without a sign, {@code MOVSXD} for one with
   */
  private void addressOf(Gp target, Gp cells, Gp index, Instruction extend) {
    Gp extended = extend == Instruction.MOV ? target.low32() : target;
    assembler.emit(extend, extended, index.low32());
    assembler.emit(Instruction.SHL, target, Immediate.of(CELL_SHIFT));
    assembler.emit(Instruction.ADD, target, cells);
  }

  private void store(Gp cell, Gp type, Gp word) {
    assembler.emit(Instruction.MOV, Address.of(cell, 0), type);
    assembler.emit(Instruction.MOV, Address.of(cell, WORD), word);
  }

  private void clear(Gp register) {
    assembler.emit(Instruction.XOR, register.low32(), register.low32());
  }

  private void returnZero() {
    clear(Gp.RAX);
    assembler.emit(Instruction.RET);
  }
}
