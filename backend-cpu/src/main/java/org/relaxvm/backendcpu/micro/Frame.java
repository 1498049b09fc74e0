package org.relaxvm.backendcpu.micro;

import org.relaxvm.machine.x64.Address;
import org.relaxvm.machine.x64.Assembler;
import org.relaxvm.machine.x64.Gp;
import org.relaxvm.machine.x64.Immediate;
import org.relaxvm.machine.x64.Instruction;
import org.relaxvm.machine.x64.Vector;

/**
 * Entry and exit of a C function with one argument, the address of a block, which is in rdi
 * afterwards. All other general-purpose registers but rsp are free in between.
 */
final class Frame {
  private static final boolean IS_WINDOWS = System.getProperty("os.name", "").startsWith("Windows");
  private static final Gp[] SAVED = {Gp.RBX, Gp.RBP, Gp.R12, Gp.R13, Gp.R14, Gp.R15};
  // xmm6 to xmm15, which belong to the caller on Windows.
  private static final int FIRST_VECTOR = 6;
  private static final int VECTORS = 10;
  private static final int VECTOR_BYTES = 16;

  private Frame() {}

  static void enter(Assembler assembler) {
    for (Gp saved : SAVED) {
      assembler.emit(Instruction.PUSH, saved);
    }
    if (IS_WINDOWS) {
      assembler.emit(Instruction.PUSH, Gp.RDI);
      assembler.emit(Instruction.PUSH, Gp.RSI);
      assembler.emit(Instruction.SUB, Gp.RSP, Immediate.of(VECTORS * VECTOR_BYTES));
      for (int i = 0; i < VECTORS; i++) {
        Address slot = Address.of(Gp.RSP, i * VECTOR_BYTES);
        assembler.emit(Instruction.VMOVUPS, slot, Vector.xmm(FIRST_VECTOR + i));
      }
      assembler.emit(Instruction.MOV, Gp.RDI, Gp.RCX);
    }
  }

  static void leave(Assembler assembler) {
    assembler.emit(Instruction.VZEROUPPER);
    if (IS_WINDOWS) {
      for (int i = 0; i < VECTORS; i++) {
        Address slot = Address.of(Gp.RSP, i * VECTOR_BYTES);
        assembler.emit(Instruction.VMOVUPS, Vector.xmm(FIRST_VECTOR + i), slot);
      }
      assembler.emit(Instruction.ADD, Gp.RSP, Immediate.of(VECTORS * VECTOR_BYTES));
      assembler.emit(Instruction.POP, Gp.RSI);
      assembler.emit(Instruction.POP, Gp.RDI);
    }
    for (int i = SAVED.length - 1; i >= 0; i--) {
      assembler.emit(Instruction.POP, SAVED[i]);
    }
    assembler.emit(Instruction.RET);
  }
}
