package org.relaxvm.backendcpu.jit.x64;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.backendcpu.jit.lir.Lir;
import org.relaxvm.backendcpu.jit.lir.LirWriter;
import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Operand.Address;
import org.relaxvm.backendcpu.jit.lir.Operand.Imm;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Relation;
import org.relaxvm.backendcpu.jit.lir.Type;
import org.relaxvm.machine.x64.Feature;

/** Which loads become operands of instructions. */
class FoldingTest {
  private static final Type LANES = Type.floats(32, 8);

  private final LirWriter writer = new LirWriter("folding");
  private final Reg sum = load(0, false);

  private Reg load(int displacement, boolean isSplat) {
    Address from = Address.of(writer.block(), displacement);
    return writer.load(LANES, from, 32, true, isSplat, null);
  }

  private void store(Reg value) {
    writer.store(Address.of(writer.block(), 0), value, 32, null);
  }

  private String listing(boolean isWide) {
    X64Target target = X64Target.of(isWide ? Feature.x86V4() : Feature.x86V3());
    return X64Emitter.emit(writer.finish(), target, CallingConvention.SYSTEM_V, true).listing();
  }

  @Test
  void aLoadThatIsUsedOnceIsAnOperand() {
    store(writer.op(Op.SUB, sum, load(64, false)));
    assertThat(listing(false))
        .isEqualTo(
            """
                # %4: f32x8 = load32 signed [%0]
                vmovups ymm0, YMMWORD PTR [rdi]
                # %5: f32x8 = load32 signed [%0 + 64]
                # %6: f32x8 = sub %4, %5
                vsubps ymm0, ymm0, YMMWORD PTR [rdi + 64]
                # store32 [%0], %6
                vmovups YMMWORD PTR [rdi], ymm0
                xor eax, eax
            .L0:
                vzeroupper
                ret
            """);
  }

  @Test
  void oneElementForAllLanesIsAnOperandOfAvx512() {
    store(writer.op(Op.MUL, sum, load(64, true)));
    assertThat(listing(true)).contains("vmulps ymm0, ymm0, DWORD PTR [rdi + 64]{1to8}");
    assertThat(listing(false))
        .contains(
            "vbroadcastss ymm0, DWORD PTR [rdi + 64]", "vmulps ymm0, ymm0, YMMWORD PTR [rdi]");
  }

  @Test
  void aLoadIsNotMovedAcrossAStore() {
    Reg loaded = load(64, false);
    store(sum);
    store(writer.op(Op.ADD, sum, loaded));
    assertThat(listing(false)).contains("vmovups ymm1, YMMWORD PTR [rdi + 64]");
  }

  @Test
  void aLoadIsNotMovedAcrossAChangeOfItsAddress() {
    Reg base = writer.compute(Op.MOVE, Type.WORD, writer.scratch());
    Reg loaded = writer.load(LANES, Address.of(base, 8), 32, true, false, null);
    writer.set(base, Op.ADD, base, new Imm(32));
    Reg total = writer.op(Op.ADD, sum, loaded);
    writer.store(Address.of(base, 0), total, 32, null);
    assertThat(listing(false)).contains("vmovups ymm0, YMMWORD PTR [r8 + 8]");
  }

  @Test
  void aLoadIsNotMovedIntoALoop() {
    Reg loaded = load(64, false);
    Reg counter = writer.compute(Op.MOVE, Type.WORD, writer.from());
    writer.open();
    writer.set(sum, Op.ADD, sum, loaded);
    writer.add(new Lir.Loop(counter, writer.to(), 1, false, writer.close()));
    store(sum);
    assertThat(listing(false))
        .contains("vmovups ymm1, YMMWORD PTR [rdi + 64]", "vaddps ymm0, ymm0, ymm1");
  }

  @Test
  void aCheckMayBeBetweenALoadAndItsUse() {
    Reg loaded = load(64, false);
    writer.add(new Lir.FailIf(Relation.LT, writer.from(), new Imm(0), 1, List.of()));
    store(writer.op(Op.ADD, sum, loaded));
    assertThat(listing(false)).contains("vaddps ymm0, ymm0, YMMWORD PTR [rdi + 64]");
  }
}
