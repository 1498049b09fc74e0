package org.relaxvm.machine.x64;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.foreign.FunctionDescriptor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.machine.cpu.X64Processor;
import org.relaxvm.machine.memory.CodeMemory;

/** Labels, jumps, constants, alignment; what is refused. */
class AssemblerTest {
  private final Assembler assembler = Assembler.withListing(Set.of(Feature.AVX));

  private static String hex(byte[] code) {
    return HexFormat.ofDelimiter(" ").formatHex(code);
  }

  @Test
  void forwardJumpsHaveFourBytesAndBackwardJumpsAreShort() {
    Label start = assembler.label();
    Label end = assembler.label();
    assembler.bind(start);
    assembler.jump(Condition.NE, end);
    assembler.jump(start);
    assembler.jump(Condition.L, start);
    assembler.bind(end);
    assembler.comment("the end");
    assembler.emit(Instruction.RET);

    assertThat(hex(assembler.finish())).isEqualTo("0f 85 04 00 00 00 eb f8 7c f6 c3");
    assertThat(assembler.listing())
        .isEqualTo(
            """
            .L0:
                jne .L1
                jmp .L0
                jl .L0
            .L1:
                # the end
                ret
            """);
  }

  @Test
  void aLoopCountsDown() throws Throwable {
    assumeTrue(X64Processor.isCurrent(), "the processor is no x86-64");
    // Sums 1 to n in a function whose first argument is in rdi.
    assumeTrue(!System.getProperty("os.name").startsWith("Windows"), "arguments are elsewhere");
    Label loop = assembler.label();
    Label end = assembler.label();
    assembler.emit(Instruction.XOR, Gp.RAX.low32(), Gp.RAX.low32());
    assembler.emit(Instruction.TEST, Gp.RDI, Gp.RDI);
    assembler.jump(Condition.LE, end);
    assembler.align(16);
    assembler.bind(loop);
    assembler.emit(Instruction.ADD, Gp.RAX, Gp.RDI);
    assembler.emit(Instruction.SUB, Gp.RDI, Immediate.of(1));
    assembler.jump(Condition.NE, loop);
    assembler.bind(end);
    assembler.emit(Instruction.RET);

    try (CodeMemory memory = new CodeMemory()) {
      var sum =
          memory.load(assembler.finish()).handle(0, FunctionDescriptor.of(JAVA_LONG, JAVA_LONG));
      assertThat((long) sum.invokeExact(1_000L)).isEqualTo(500_500);
      assertThat((long) sum.invokeExact(-1L)).isZero();
    }
  }

  @Test
  void equalConstantsAreStoredOnceAndReadRelativeToTheCode() throws Throwable {
    assumeTrue(X64Processor.isCurrent(), "the processor is no x86-64");
    byte[] half = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putDouble(0.5).array();
    Vector value = Vector.xmm(0);
    assembler.emit(Instruction.VADDSD, value, value, Address.of(assembler.constant(half, 8)));
    assembler.emit(Instruction.VADDSD, value, value, Address.of(assembler.constant(half, 8)));
    assembler.emit(Instruction.RET);
    byte[] code = assembler.finish();

    assertThat(code).hasSize(32);
    try (CodeMemory memory = new CodeMemory()) {
      var sum = memory.load(code).handle(0, FunctionDescriptor.of(JAVA_DOUBLE, JAVA_DOUBLE));
      assertThat((double) sum.invokeExact(2.25)).isEqualTo(3.25);
    }
  }

  @Test
  void displacementsCountFromTheEndOfAnInstructionWithAConstant() {
    Label label = assembler.label();
    assembler.emit(Instruction.CMP, Address.of(label).ofBytes(4), Immediate.of(7));
    assembler.bind(label);

    assertThat(hex(assembler.finish())).isEqualTo("83 3d 00 00 00 00 07");
  }

  @Test
  void dataAtAFixedDistanceIsReachedBeforeAndAfterItsLabelIsBound(@TempDir Path folder)
      throws Exception {
    Label after = assembler.label();
    Label before = assembler.label();
    assembler.emit(Instruction.JMP, Address.of(after).plus(16));
    assembler.bind(after, 0x2000);
    assembler.bind(before, -1);
    assembler.emit(Instruction.MOV, Gp.RAX, Address.of(after));
    assembler.emit(Instruction.MOV, Gp.RAX.low32(), Address.of(before));
    byte[] code = assembler.finish();

    assertThat(hex(code)).isEqualTo("ff 25 0a 20 00 00 48 8b 05 f3 1f 00 00 8b 05 ec ff ff ff");
    assumeTrue(GnuAssembler.isPresent(), "no GNU assembler");
    assertThat(GnuAssembler.assemble(folder, assembler.listing())).isEqualTo(code);
  }

  @Test
  void operandsThatFitNoFormAreRefusedWithTheForms() {
    assertThatThrownBy(() -> assembler.emit(Instruction.VADDPS, Vector.xmm(0), Gp.RAX))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "vaddps has no form with the operands xmm0, rax, or none with such a mask; it has"
                + " v,v,v/m");
    assertThatThrownBy(
            () -> assembler.emit(Instruction.CMP, Address.of(Gp.RAX, 0), Immediate.of(1)))
        .hasMessage(
            "cmp has no form with the operands rax, 1, or none with such a mask; it has r/m,r; r,m;"
                + " r/m,i8; a,i32; r/m,i32");
  }

  @Test
  void featuresThatAreLeftOutAreNotUsed() {
    Vector wide = Vector.zmm(1);
    assertThatThrownBy(() -> assembler.emit(Instruction.VADDPS, wide, wide, wide))
        .hasMessage(
            "vaddps zmm1, zmm1, zmm1 needs AVX or AVX512F with AVX512VL, but code is assembled for"
                + " [AVX]");
    Vector xmm = Vector.xmm(1);
    assertThatThrownBy(() -> assembler.emit(Instruction.VFMADD231PS, xmm, xmm, xmm))
        .hasMessageContaining("needs FMA or AVX512F with AVX512VL");
    assertThatThrownBy(
            () -> assembler.emitMasked(Instruction.VADDPS, Mask.k(1), true, xmm, xmm, xmm))
        .hasMessageContaining("needs AVX or AVX512F with AVX512VL");
  }

  @Test
  void k0IsNoMaskAndNothingInMemoryBecomesZero() {
    Assembler wide = Assembler.of(Set.of(Feature.values()));
    Vector zmm = Vector.zmm(1);
    assertThatThrownBy(() -> wide.emitMasked(Instruction.VADDPS, Mask.k(0), true, zmm, zmm, zmm))
        .hasMessage(
            "k0 is no mask of an instruction, as its number stands for all lanes; use k1 to k7");
    assertThatThrownBy(
            () -> wide.emitMasked(Instruction.VMOVUPS, Mask.k(1), true, Address.of(Gp.RAX, 0), zmm))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void labelsAreBoundOnce() {
    Label label = assembler.label();
    assembler.bind(label);
    assertThatThrownBy(() -> assembler.bind(label)).hasMessage("the label .L0 is bound twice");
    assembler.jump(assembler.label());
    assertThatThrownBy(assembler::finish)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the label .L1 is used, but was never bound");
  }
}
