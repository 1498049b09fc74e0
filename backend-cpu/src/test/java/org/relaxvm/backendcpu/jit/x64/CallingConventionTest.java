package org.relaxvm.backendcpu.jit.x64;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.relaxvm.backendcpu.jit.MachineCode;
import org.relaxvm.backendcpu.jit.lir.LirFunction;
import org.relaxvm.backendcpu.jit.lir.LirWriter;
import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Operand.Address;
import org.relaxvm.backendcpu.jit.lir.Operand.Imm;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Type;
import org.relaxvm.machine.memory.Code;
import org.relaxvm.machine.x64.Assembler;
import org.relaxvm.machine.x64.Gp;
import org.relaxvm.machine.x64.Immediate;
import org.relaxvm.machine.x64.Instruction;
import org.relaxvm.machine.x64.Vector;

/**
 * Functions read the parameters of a convention and preserve its registers. A caller in machine
 * code passes parameters in the registers of either convention, so that both are tested everywhere.
 */
class CallingConventionTest {
  private static final List<Gp> WORDS =
      List.of(Gp.RBX, Gp.RBP, Gp.RSI, Gp.RDI, Gp.R12, Gp.R13, Gp.R14, Gp.R15);
  private static final long PATTERN = 0x1357_0000_0000L;

  static List<X64Target> targets() {
    return Targets.ofThisProcessor();
  }

  /** A function that needs all registers and some of the frame. */
  private static LirFunction function(int live) {
    LirWriter writer = new LirWriter("sums");
    List<Reg> words = new ArrayList<>();
    List<Reg> vectors = new ArrayList<>();
    Type type = Type.ints(64, 4);
    for (int i = 0; i < live; i++) {
      words.add(writer.op(Op.ADD, writer.from(), new Imm(i)));
      vectors.add(writer.compute(Op.SPLAT, type, words.get(i)));
    }
    Reg sum = writer.compute(Op.MOVE, Type.WORD, writer.to());
    Reg total = vectors.getFirst();
    for (int i = 0; i < live; i++) {
      sum = writer.op(Op.ADD, sum, words.get(i));
      total = i == 0 ? total : writer.op(Op.ADD, total, vectors.get(i));
    }
    writer.store(Address.of(writer.block(), 0), sum, 64, null);
    writer.store(
        Address.of(writer.block(), 8), writer.compute(Op.TO_WORD, Type.WORD, total), 64, null);
    writer.store(Address.of(writer.scratch(), 0), new Imm(99), 64, null);
    return writer.finish();
  }

  /**
   * A C function of this system that fills the registers of {@link #WORDS} and xmm6 to xmm15, calls
   * {@code callee} with the words at its argument, and writes what the registers are afterwards.
   */
  private static byte[] caller(CallingConvention convention, long callee) {
    Assembler assembler = Assembler.of(MachineCode.current().features());
    List<Gp> saved = List.of(Gp.RBX, Gp.RBP, Gp.R12, Gp.R13, Gp.R14, Gp.R15);
    saved.forEach(register -> assembler.emit(Instruction.PUSH, register));
    // The argument of this function is kept on the stack; 32 bytes are reserved for a callee.
    assembler.emit(Instruction.PUSH, Gp.RDI);
    assembler.emit(Instruction.SUB, Gp.RSP, Immediate.of(32));
    assembler.emit(Instruction.MOV, Gp.R10, Gp.RDI);
    for (int i = 0; i < 4; i++) {
      assembler.emit(
          Instruction.MOV,
          convention.parameters().get(i),
          org.relaxvm.machine.x64.Address.of(Gp.R10, 8 * i));
    }
    for (int i = 0; i < WORDS.size(); i++) {
      if (!convention.parameters().contains(WORDS.get(i))) {
        assembler.emit(Instruction.MOV, WORDS.get(i), Immediate.of(PATTERN + i));
      }
    }
    for (int i = 6; i < 16; i++) {
      assembler.emit(Instruction.MOV, Gp.RAX, Immediate.of(PATTERN * 16 + i));
      assembler.emit(Instruction.VMOVQ, Vector.xmm(i), Gp.RAX);
      assembler.emit(Instruction.VPUNPCKLQDQ, Vector.xmm(i), Vector.xmm(i), Vector.xmm(i));
    }
    assembler.emit(Instruction.MOV, Gp.RAX, Immediate.of(callee));
    assembler.emit(Instruction.CALL, Gp.RAX);
    assembler.emit(Instruction.MOV, Gp.R10, org.relaxvm.machine.x64.Address.of(Gp.RSP, 32));
    for (int i = 0; i < WORDS.size(); i++) {
      assembler.emit(
          Instruction.MOV, org.relaxvm.machine.x64.Address.of(Gp.R10, 64 + 8 * i), WORDS.get(i));
    }
    for (int i = 6; i < 16; i++) {
      assembler.emit(
          Instruction.VMOVUPS,
          org.relaxvm.machine.x64.Address.of(Gp.R10, 128 + 16 * (i - 6)),
          Vector.xmm(i));
    }
    assembler.emit(Instruction.ADD, Gp.RSP, Immediate.of(40));
    saved.reversed().forEach(register -> assembler.emit(Instruction.POP, register));
    assembler.emit(Instruction.RET);
    return assembler.finish();
  }

  @ParameterizedTest(allowZeroInvocations = true)
  @MethodSource("targets")
  void registersArePreserved(X64Target target) throws Throwable {
    assumeFalse(System.getProperty("os.name").startsWith("Windows"), "the caller is of System V");
    for (CallingConvention convention : CallingConvention.values()) {
      for (int live : new int[] {1, 12, 50, 200}) {
        check(target, convention, live);
      }
    }
  }

  private static void check(X64Target target, CallingConvention convention, int live)
      throws Throwable {
    X64Code code = X64Emitter.emit(function(live), target, convention, false);
    try (Code callee = MachineCode.memory().load(code.bytes());
        Code caller = MachineCode.memory().load(caller(convention, callee.address()));
        Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(512, 64);
      MemorySegment block = arena.allocate(64, 64);
      memory.setAtIndex(JAVA_LONG, 0, block.address());
      memory.setAtIndex(JAVA_LONG, 1, 1_000);
      memory.setAtIndex(JAVA_LONG, 2, 7);
      memory.setAtIndex(JAVA_LONG, 3, block.address() + 32);
      caller.handle(0, FunctionDescriptor.ofVoid(JAVA_LONG)).invokeExact(memory.address());
      long sum = 1_000L * live + live * (live - 1L) / 2;
      assertThat(block.get(JAVA_LONG, 0)).isEqualTo(sum + 7);
      assertThat(block.get(JAVA_LONG, 8)).isEqualTo(sum);
      assertThat(block.get(JAVA_LONG, 32)).isEqualTo(99);
      for (int i = 0; i < WORDS.size(); i++) {
        if (convention.isSaved(WORDS.get(i))) {
          assertThat(memory.get(JAVA_LONG, 64 + 8L * i))
              .as("%s of %s", WORDS.get(i), convention)
              .isEqualTo(PATTERN + i);
        }
      }
      for (int i = 6; i < 16 && convention == CallingConvention.WINDOWS; i++) {
        assertThat(memory.get(JAVA_LONG, 128 + 16L * (i - 6)))
            .as("xmm%d", i)
            .isEqualTo(PATTERN * 16 + i);
        assertThat(memory.get(JAVA_LONG, 136 + 16L * (i - 6))).isEqualTo(PATTERN * 16 + i);
      }
    }
  }
}
