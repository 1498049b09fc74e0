package org.relaxvm.machine.arm64;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Labels, branches, constants, alignment, the listing; what is refused. */
class AssemblerTest {
  private final Assembler assembler = Assembler.withListing(Set.of());

  /** Code of many instructions, which would take long to list. */
  private final Assembler unlisted = Assembler.of(Set.of());

  private void fill(int bytes) {
    for (int i = 0; i < bytes; i += 4) {
      unlisted.emit(Instruction.NOP);
    }
  }

  private static int word(byte[] code, int offset) {
    return ByteBuffer.wrap(code).order(ByteOrder.LITTLE_ENDIAN).getInt(offset);
  }

  @Test
  void theListingHasOffsetsAndBits() {
    Label loop = assembler.label();
    Label end = assembler.label();
    assembler.emit(Instruction.CBZ, Gp.x(1), end);
    assembler.bind(loop);
    assembler.emit(Instruction.FMLA, Vector.s4(0), Vector.s4(1), Vector.s4(2).element(3));
    assembler.emit(Instruction.SUBS, Gp.x(1), Gp.x(1), Immediate.of(1));
    assembler.emit(Instruction.B_COND, Condition.NE, loop);
    assembler.bind(end);
    assembler.emit(Instruction.DC_ZVA, Gp.x(0));
    assembler.emit(Instruction.RET);
    assembler.finish();

    assertThat(assembler.listing())
        .isEqualTo(
            """
                cbz x1, .L1                                 // 0000 b4000081
            .L0:
                fmla v0.4s, v1.4s, v2.s[3]                  // 0004 4fa21820
                subs x1, x1, #1                             // 0008 f1000421
                b.ne .L0                                    // 000c 54ffffc1
            .L1:
                dc zva, x0                                  // 0010 d50b7420
                ret                                         // 0014 d65f03c0
            """);
  }

  @Test
  void equalConstantsArePlacedOnceAndAligned() {
    byte[] half = {0, 0, 0, 0, 0, 0, (byte) 0xE0, 0x3F};
    Label first = assembler.constant(half, 8);
    assembler.emit(Instruction.LDR, Scalar.d(0), first);
    assembler.emit(Instruction.LDR, Scalar.d(1), assembler.constant(half, 8));
    assembler.emit(Instruction.LDR, Scalar.q(2), assembler.constant(new byte[16], 16));
    byte[] code = assembler.finish();

    assertThat(assembler.constant(half, 8)).isNotEqualTo(first);
    assertThat(code).hasSize(48).endsWith(new byte[16]);
    assertThat(word(code, 0)).isEqualTo(0x5C000080);
    assertThat(word(code, 4)).isEqualTo(0x5C000061);
    assertThat(word(code, 8)).isEqualTo(0x9C0000C2);
    assertThat(word(code, 20)).isEqualTo(0x3FE00000);
    assertThat(assembler.listing())
        .endsWith(
            """
                .balign 8, 0
            .C0:
                .byte 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xe0, 0x3f
                .balign 4, 0
                .balign 16, 0
            .C1:
                .byte 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00
                .balign 4, 0
            """);
  }

  @Test
  void constantsMayBePlacedBetweenCode() {
    unlisted.emit(Instruction.LDR, Gp.w(0), unlisted.constant(new byte[] {1, 2, 3, 4, 5}, 4));
    Label after = unlisted.label();
    unlisted.emit(Instruction.B, after);
    unlisted.placeConstants();
    unlisted.bind(after);
    fill(1 << 20);
    byte[] code = unlisted.finish();

    assertThat(word(code, 0)).isEqualTo(0x18000040);
    assertThat(word(code, 4)).isEqualTo(0x14000003);
    assertThat(word(code, 8)).isEqualTo(0x04030201);
    assertThat(word(code, 12)).isEqualTo(5);
  }

  @Test
  void constantsOutOfRangeAreRefused() {
    unlisted.emit(Instruction.LDR, Scalar.s(0), unlisted.constant(new byte[4], 4));
    fill(1 << 20);
    assertThatThrownBy(unlisted::finish)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "ldr at offset 0 is 1048580 bytes away from the label .C0, but reaches -1048576 to"
                + " 1048572 bytes; call placeConstants nearer to the load");
  }

  @Test
  void branchesReachTheirLimitsAndNoFarther() {
    Label start = unlisted.label();
    Label end = unlisted.label();
    unlisted.bind(start);
    unlisted.emit(Instruction.TBZ, Gp.x(0), Immediate.of(0), end);
    fill(32_760);
    unlisted.bind(end);
    unlisted.emit(Instruction.NOP);
    unlisted.emit(Instruction.TBNZ, Gp.x(0), Immediate.of(63), start);
    byte[] code = unlisted.finish();
    assertThat(word(code, 0)).isEqualTo(0x36000000 | 0x1FFF << 5);
    assertThat(word(code, 32_768)).isEqualTo(0xB7F80000 | 0x2000 << 5);
  }

  @Test
  void branchesOutOfRangeAreRefused() {
    Label label = unlisted.label();
    unlisted.emit(Instruction.TBZ, Gp.x(0), Immediate.of(0), label);
    fill(32_764);
    unlisted.bind(label);
    assertThatThrownBy(unlisted::finish)
        .hasMessage(
            "tbz at offset 0 is 32768 bytes away from the label .L0, but reaches -32768 to 32764"
                + " bytes; use emitFar");
  }

  @Test
  void farBranchesGoOverAnUnconditionalBranch() {
    Label label = assembler.label();
    assembler.emitFar(Instruction.B_COND, Condition.LT, label);
    assembler.emitFar(Instruction.CBZ, Gp.w(3), label);
    assembler.emitFar(Instruction.TBNZ, Gp.x(3), Immediate.of(40), label);
    assembler.bind(label);
    assembler.finish();
    assertThat(assembler.listing())
        .isEqualTo(
            """
                b.ge .L1                                    // 0000 5400004a
                b .L0                                       // 0004 14000005
            .L1:
                cbnz w3, .L2                                // 0008 35000043
                b .L0                                       // 000c 14000003
            .L2:
                tbz x3, #40, .L3                            // 0010 b6400043
                b .L0                                       // 0014 14000001
            .L3:
            .L0:
            """);
    assertThatThrownBy(() -> assembler.emitFar(Instruction.B, label))
        .hasMessage("b is no conditional branch; use b.cond, cbz, cbnz, tbz or tbnz");
    assertThatThrownBy(() -> assembler.emitFar(Instruction.B_COND, Condition.AL, label))
        .hasMessage("the condition 'al' has no opposite");
  }

  @Test
  void operandsThatFitNoFormAreRefusedWithTheForms() {
    assertThatThrownBy(() -> assembler.emit(Instruction.FADD, Vector.s4(0), Gp.x(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "fadd has no form with the operands v0.4s, x1; it has Fd,Fn,Fm; Vd.T,Vn.T,Vm.T with T"
                + " of 4h,8h,2s,4s,2d");
    assertThatThrownBy(
            () -> assembler.emit(Instruction.FADD, Vector.s4(0), Vector.s4(1), Vector.s2(2)))
        .hasMessageStartingWith("fadd has no form with the operands v0.4s, v1.4s, v2.2s;");
    assertThatThrownBy(
            () -> assembler.emit(Instruction.MUL, Vector.d2(0), Vector.d2(1), Vector.d2(2)))
        .hasMessageContaining("with T of 8b,16b,4h,8h,2s,4s;");
    assertThatThrownBy(
            () ->
                assembler.emit(
                    Instruction.MUL, Vector.h8(0), Vector.h8(1), Vector.h8(16).element(0)))
        .hasMessageContaining("mul has no form with the operands v0.8h, v1.8h, v16.h[0]");
    assertThatThrownBy(() -> assembler.emit(Instruction.ADD, Gp.x(0), Gp.w(1), Gp.x(2)))
        .hasMessageContaining("add has no form with the operands x0, w1, x2");
    assertThatThrownBy(() -> assembler.emit(Instruction.AND, Gp.x(0), Gp.x(1), Immediate.of(5)))
        .hasMessageStartingWith("and has no form with the operands x0, x1, #5;");
    assertThatThrownBy(() -> assembler.emit(Instruction.MADD, Gp.x(0), Gp.SP, Gp.x(1), Gp.x(1)))
        .hasMessage("madd has no form with the operands x0, sp, x1, x1; it has Rd,Rn,Rm,Ra");
    assertThatThrownBy(
            () ->
                assembler.emit(
                    Instruction.UBFX, Gp.x(0), Gp.x(1), Immediate.of(60), Immediate.of(5)))
        .hasMessageContaining("ubfx has no form with the operands x0, x1, #60, #5");
    assertThatThrownBy(() -> assembler.emit(Instruction.LDR, Gp.x(0), Address.of(Gp.x(1), 257)))
        .hasMessageContaining("ldr has no form with the operands x0, [x1, #257]");
    assertThatThrownBy(() -> assembler.emit(Instruction.CSET, Gp.x(0), Condition.AL))
        .hasMessage("cset has no form with the operands x0, al; it has Rd,negcond");
    assertThatThrownBy(() -> assembler.emit(Instruction.NOP, Gp.x(0)))
        .hasMessage("nop has no form with the operands x0; it has no operands");
    assertThatThrownBy(() -> assembler.emit(Instruction.BR))
        .hasMessage("br has no form with the operands none; it has Xn");
  }

  @Test
  void featuresThatAreLeftOutAreNotUsed() {
    assertThatThrownBy(
            () -> assembler.emit(Instruction.FADD, Vector.h8(0), Vector.h8(1), Vector.h8(2)))
        .hasMessage("fadd v0.8h, v1.8h, v2.8h needs FP16, but code is assembled for []");
    assertThatThrownBy(
            () -> assembler.emit(Instruction.FADD, Scalar.h(0), Scalar.h(1), Scalar.h(2)))
        .hasMessage("fadd h0, h1, h2 needs FP16, but code is assembled for []");
    Assembler half = Assembler.of(Set.of(Feature.FP16));
    half.emit(Instruction.FADD, Vector.h8(0), Vector.h8(1), Vector.h8(2));
    assertThatThrownBy(
            () -> half.emit(Instruction.SDOT, Vector.s4(0), Vector.b16(1), Vector.b16(2)))
        .hasMessage("sdot v0.4s, v1.16b, v2.16b needs DOTPROD, but code is assembled for [FP16]");
  }

  @Test
  void registersWhoseUseIsLeftOpenAreRefused() {
    assertThatThrownBy(() -> assembler.emit(Instruction.LDR, Gp.w(3), Address.post(Gp.x(3), 8)))
        .hasMessage(
            "ldr w3, [x3], #8 changes the base of its address, which is also loaded or stored; use"
                + " another register");
    assertThatThrownBy(
            () -> assembler.emit(Instruction.LDP, Gp.x(3), Gp.x(3), Address.of(Gp.SP, 16)))
        .hasMessage("ldp x3, x3, [sp, #16] loads one register twice; use two registers");
    assertThatThrownBy(
            () -> assembler.emit(Instruction.STXR, Gp.w(3), Gp.x(3), Address.of(Gp.x(4))))
        .hasMessage(
            "stxr w3, x3, [x4] writes its status to a register that it stores or that is its base;"
                + " use another register");
    assembler.emit(Instruction.STP, Gp.x(3), Gp.x(3), Address.pre(Gp.SP, -16));
  }

  @Test
  void constantsMayBeSignedOrNot() {
    assembler.move(Gp.w(0), -2);
    assembler.move(Gp.w(0), 0xFFFF_FFFEL);
    byte[] code = assembler.finish();
    assertThat(word(code, 0)).isEqualTo(0x12800020).isEqualTo(word(code, 4));
    assertThatThrownBy(() -> assembler.move(Gp.w(0), 1L << 32))
        .hasMessage(
            "the constant 4294967296 has more than the 32 bits of w0; use a 64-bit register");
    assertThatThrownBy(() -> assembler.move(Gp.SP, 16))
        .hasMessage("no constant is moved to sp; move it to another register, and add that");
  }

  @Test
  void labelsAreBoundOnce() {
    Label label = assembler.label();
    assembler.bind(label);
    assertThatThrownBy(() -> assembler.bind(label)).hasMessage("the label .L0 is bound twice");
    assembler.emit(Instruction.B, assembler.label());
    assertThatThrownBy(assembler::finish)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the label .L1 is used, but was never bound");
    assertThatThrownBy(assembler::listing)
        .hasMessage("the distances of labels are not known yet; call finish() first");
    assertThatThrownBy(() -> Assembler.of(Set.of()).listing())
        .hasMessage("the assembler was made without a listing");
  }

  @Test
  void alignmentIsByNops() {
    assembler.emit(Instruction.RET);
    assembler.align(16);
    byte[] code = assembler.finish();
    assertThat(code).hasSize(16);
    assertThat(word(code, 12)).isEqualTo(0xD503201F);
    assertThatThrownBy(() -> assembler.align(2))
        .hasMessage("an alignment is a power of two from 4 to 64, but got 2");
  }
}
