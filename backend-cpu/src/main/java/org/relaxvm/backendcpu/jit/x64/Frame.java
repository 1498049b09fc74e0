package org.relaxvm.backendcpu.jit.x64;

import static org.relaxvm.machine.x64.Instruction.*;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.backendcpu.jit.allocate.Allocation;
import org.relaxvm.backendcpu.jit.allocate.RegisterClass;
import org.relaxvm.backendcpu.jit.lir.LirFunction;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.machine.x64.Address;
import org.relaxvm.machine.x64.Assembler;
import org.relaxvm.machine.x64.Gp;
import org.relaxvm.machine.x64.Immediate;
import org.relaxvm.machine.x64.Instruction;
import org.relaxvm.machine.x64.Vector;

/**
 * The entry and the exit of a function: preserved registers, the frame of spilled registers, and
 * parameters. From the stack pointer upwards there are the slots of spilled registers, preserved
 * vector registers, and the stack pointer of the caller if the frame is aligned.
 */
final class Frame {
  private static final int ALIGNMENT = 64;
  private static final int VECTOR_BYTES = 16;
  private static final int PAGE_BYTES = 4096;

  private final Assembler assembler;
  private final Allocation allocation;
  private final CallingConvention convention;
  private final List<Gp> words = new ArrayList<>();
  private final List<Vector> vectors = new ArrayList<>();
  private final int vectorsOffset;
  private final boolean isAligned;
  private final int bytes;

  Frame(
      Assembler assembler, X64Target target, Allocation allocation, CallingConvention convention) {
    this.assembler = assembler;
    this.allocation = allocation;
    this.convention = convention;
    for (int number : allocation.usedRegisters(RegisterClass.WORD)) {
      if (convention.isSaved(Gp.of(number))) {
        words.add(Gp.of(number));
      }
    }
    List<Integer> used = new ArrayList<>(allocation.usedRegisters(RegisterClass.VECTOR));
    for (int i = 0; i < Locations.SCRATCH_VECTORS; i++) {
      used.add(target.vectorRegisters() + i);
    }
    for (int number : used) {
      if (convention.isSavedVector(number)) {
        vectors.add(Vector.xmm(number));
      }
    }
    vectorsOffset = (allocation.frameBytes() + VECTOR_BYTES - 1) / VECTOR_BYTES * VECTOR_BYTES;
    int end = vectorsOffset + vectors.size() * VECTOR_BYTES;
    isAligned = allocation.vectorSlotBytes() > 0 || !vectors.isEmpty();
    bytes = isAligned ? (end + 8 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT : (end + 15) / 16 * 16;
  }

  /** The bytes below the preserved general registers. */
  int bytes() {
    return bytes;
  }

  void enter(LirFunction function) {
    for (Gp register : words) {
      assembler.emit(PUSH, register);
    }
    if (isAligned) {
      assembler.emit(MOV, Gp.RAX, Gp.RSP);
      assembler.emit(Instruction.AND, Gp.RSP, Immediate.of(-ALIGNMENT));
    }
    // Systems map the pages of a stack one after the other, as they are accessed.
    for (int touched = PAGE_BYTES; touched <= bytes; touched += PAGE_BYTES) {
      assembler.emit(TEST, Address.of(Gp.RSP, -touched), Gp.RSP);
    }
    if (bytes > 0) {
      assembler.emit(Instruction.SUB, Gp.RSP, Immediate.of(bytes));
    }
    if (isAligned) {
      assembler.emit(MOV, Address.of(Gp.RSP, bytes - 8), Gp.RAX);
    }
    for (int i = 0; i < vectors.size(); i++) {
      assembler.emit(VMOVAPS, vectorSlot(i), vectors.get(i));
    }
    moveParameters(List.of(function.block(), function.from(), function.to(), function.scratch()));
  }

  private Address vectorSlot(int index) {
    return Address.of(Gp.RSP, vectorsOffset + index * VECTOR_BYTES);
  }

  void leave() {
    assembler.emit(VZEROUPPER);
    for (int i = 0; i < vectors.size(); i++) {
      assembler.emit(VMOVAPS, vectors.get(i), vectorSlot(i));
    }
    if (isAligned) {
      assembler.emit(MOV, Gp.RSP, Address.of(Gp.RSP, bytes - 8));
    } else if (bytes > 0) {
      assembler.emit(Instruction.ADD, Gp.RSP, Immediate.of(bytes));
    }
    for (Gp register : words.reversed()) {
      assembler.emit(POP, register);
    }
    assembler.emit(RET);
  }

  private static boolean isRead(List<Move> moves, Gp register) {
    for (Move move : moves) {
      if (move.from().number() == register.number()) {
        return true;
      }
    }
    return false;
  }

  private record Move(Gp to, Gp from) {}

  /** Moves parameters to their locations; a cycle of moves is cut with rax. */
  private void moveParameters(List<Reg> parameters) {
    List<Move> pending = new ArrayList<>();
    for (int i = 0; i < parameters.size(); i++) {
      Reg parameter = parameters.get(i);
      Gp from = convention.parameters().get(i);
      if (!allocation.isUsed(parameter)) {
        continue;
      }
      if (allocation.isSpilled(parameter)) {
        assembler.emit(MOV, Address.of(Gp.RSP, allocation.slot(parameter)), from);
      } else if (allocation.register(parameter) != from.number()) {
        pending.add(new Move(Gp.of(allocation.register(parameter)), from));
      }
    }
    while (!pending.isEmpty()) {
      int next = pending.size() - 1;
      while (next >= 0 && isRead(pending, pending.get(next).to())) {
        next--;
      }
      if (next >= 0) {
        Move move = pending.remove(next);
        assembler.emit(MOV, move.to(), move.from());
      } else {
        Move first = pending.removeFirst();
        assembler.emit(MOV, Gp.RAX, first.from());
        pending.add(new Move(first.to(), Gp.RAX));
      }
    }
  }
}
