package org.relaxvm.machine.arm64;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A program of emitted code computes under QEMU what Java computes. */
class EmulationTest {
  private static final int LENGTH = 64;
  private static final int WRITE = 64;
  private static final int EXIT = 93;

  /** Where the next result is stored. */
  private static final Gp OUT = Gp.x(19);

  private static final int FRAME = 2048;

  @TempDir private Path folder;

  private final Assembler assembler = Assembler.of(EnumSet.allOf(Feature.class));
  private final List<String> names = new ArrayList<>();
  private final List<Long> expected = new ArrayList<>();
  private final Random random = new Random(3);

  @Test
  void emittedCodeComputesWhatJavaComputes() throws Exception {
    GnuTools.needEmulator();
    assembler.emit(Instruction.SUB, Gp.SP, Gp.SP, Immediate.of(FRAME));
    assembler.emit(Instruction.MOV, OUT, Gp.SP);
    dotProductOfFloats();
    dotProductOfBytes();
    matrixProductOfBytes();
    dotProductOfHalves();
    loopWithConditions();
    constants();
    bits();
    conversions();
    permutations();
    structures();
    farBranch();
    end();
    Path program = folder.resolve("program");
    Files.write(program, ElfProgram.of(assembler.finish()));
    assertThat(program.toFile().setExecutable(true)).isTrue();

    byte[] output = GnuTools.emulate(program).getBytes(StandardCharsets.ISO_8859_1);
    ByteBuffer results = ByteBuffer.wrap(output).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(output).hasSize(8 * expected.size());
    for (int i = 0; i < expected.size(); i++) {
      assertThat(Long.toHexString(results.getLong()))
          .as(names.get(i))
          .isEqualTo(Long.toHexString(expected.get(i)));
    }
  }

  /** Stores a register as a result. */
  private void result(String name, Operand register, long value) {
    int bits = register instanceof Gp gp ? gp.bits() : ((Scalar) register).bits();
    assembler.emit(Instruction.STR, Gp.XZR, Address.of(OUT));
    assembler.emit(Instruction.STR, register, Address.of(OUT));
    assembler.emit(Instruction.ADD, OUT, OUT, Immediate.of(8));
    names.add(name);
    expected.add(bits == 64 ? value : value & (1L << bits) - 1);
    assertThat(8 * expected.size()).isLessThan(FRAME);
  }

  /** Writes all results to the standard output and ends the process. */
  private void end() {
    assembler.move(Gp.x(0), 1);
    assembler.emit(Instruction.MOV, Gp.x(1), Gp.SP);
    assembler.emit(Instruction.SUB, Gp.x(2), OUT, Gp.x(1));
    assembler.move(Gp.x(8), WRITE);
    assembler.emit(Instruction.SVC, Immediate.of(0));
    assembler.move(Gp.x(0), 0);
    assembler.move(Gp.x(8), EXIT);
    assembler.emit(Instruction.SVC, Immediate.of(0));
  }

  private void address(Gp to, byte[] constant) {
    assembler.emit(Instruction.ADR, to, assembler.constant(constant, 16));
  }

  private byte[] bytes(int count) {
    byte[] values = new byte[count];
    random.nextBytes(values);
    return values;
  }

  private static ByteBuffer littleEndian(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Small integers, so that the order of additions does not matter. */
  private void dotProductOfFloats() {
    ByteBuffer a = littleEndian(4 * LENGTH);
    ByteBuffer b = littleEndian(4 * LENGTH);
    float sum = 0;
    for (int i = 0; i < LENGTH; i++) {
      float x = random.nextInt(100) - 50;
      float y = random.nextInt(100) - 50;
      a.putFloat(x);
      b.putFloat(y);
      sum += x * y;
    }
    address(Gp.x(0), a.array());
    address(Gp.x(1), b.array());
    assembler.move(Gp.x(2), LENGTH / 8);
    Vector[] sums = {Vector.s4(0), Vector.s4(1)};
    assembler.emit(Instruction.MOVI, sums[0], Immediate.of(0));
    assembler.emit(Instruction.MOVI, sums[1], Immediate.of(0));
    Label loop = assembler.label();
    assembler.align(16);
    assembler.bind(loop);
    assembler.emit(Instruction.LDP, Scalar.q(2), Scalar.q(3), Address.post(Gp.x(0), 32));
    assembler.emit(Instruction.LD1, VectorList.of(Vector.s4(4), 2), Address.post(Gp.x(1), 32));
    assembler.emit(Instruction.FMLA, sums[0], Vector.s4(2), Vector.s4(4));
    assembler.emit(Instruction.FMLA, sums[1], Vector.s4(3), Vector.s4(5));
    assembler.emit(Instruction.SUBS, Gp.x(2), Gp.x(2), Immediate.of(1));
    assembler.emit(Instruction.B_COND, Condition.NE, loop);
    assembler.emit(Instruction.FADD, sums[0], sums[0], sums[1]);
    assembler.emit(Instruction.FADDP, sums[0], sums[0], sums[0]);
    assembler.emit(Instruction.FADDP, Scalar.s(0), Vector.s2(0));
    result("fmla", Scalar.s(0), Float.floatToRawIntBits(sum));
  }

  private void dotProductOfBytes() {
    byte[] a = bytes(16);
    byte[] b = bytes(16);
    int signed = 0;
    int unsigned = 0;
    int mixed = 0;
    for (int i = 0; i < 16; i++) {
      signed += a[i] * b[i];
      unsigned += (a[i] & 0xFF) * (b[i] & 0xFF);
      mixed += (a[i] & 0xFF) * b[i];
    }
    assembler.emit(Instruction.LDR, Scalar.q(1), assembler.constant(a, 16));
    assembler.emit(Instruction.LDR, Scalar.q(2), assembler.constant(b, 16));
    Instruction[] instructions = {Instruction.SDOT, Instruction.UDOT, Instruction.USDOT};
    int[] sums = {signed, unsigned, mixed};
    for (int i = 0; i < sums.length; i++) {
      assembler.emit(Instruction.MOVI, Vector.s4(0), Immediate.of(0));
      assembler.emit(instructions[i], Vector.s4(0), Vector.b16(1), Vector.b16(2));
      assembler.emit(Instruction.ADDV, Scalar.s(0), Vector.s4(0));
      result(instructions[i].toString(), Scalar.s(0), sums[i]);
    }
    int lane = 0;
    for (int i = 0; i < 4; i++) {
      lane += a[4 + i] * b[12 + i];
    }
    assembler.emit(Instruction.MOVI, Vector.s4(0), Immediate.of(0));
    assembler.emit(
        Instruction.SDOT, Vector.s4(0), Vector.b16(1), new Element(2, Element.Kind.B4, 3));
    assembler.emit(Instruction.UMOV, Gp.w(3), Vector.s4(0).element(1));
    result("sdot by element", Gp.w(3), lane);
  }

  /** Two rows of eight times two columns of eight. */
  private void matrixProductOfBytes() {
    byte[] a = bytes(16);
    byte[] b = bytes(16);
    assembler.emit(Instruction.LDR, Scalar.q(1), assembler.constant(a, 16));
    assembler.emit(Instruction.LDR, Scalar.q(2), assembler.constant(b, 16));
    assembler.emit(Instruction.MOVI, Vector.s4(0), Immediate.of(0));
    assembler.emit(Instruction.SMMLA, Vector.s4(0), Vector.b16(1), Vector.b16(2));
    for (int row = 0; row < 2; row++) {
      for (int column = 0; column < 2; column++) {
        int sum = 0;
        for (int k = 0; k < 8; k++) {
          sum += a[8 * row + k] * b[8 * column + k];
        }
        assembler.emit(Instruction.SMOV, Gp.x(3), Vector.s4(0).element(2 * row + column));
        result("smmla", Gp.x(3), sum);
      }
    }
  }

  private void dotProductOfHalves() {
    ByteBuffer bfloat16 = littleEndian(16);
    ByteBuffer float16 = littleEndian(16);
    float squares = 0;
    for (int i = 1; i <= 8; i++) {
      bfloat16.putShort((short) (Float.floatToRawIntBits(i) >>> 16));
      float16.putShort(Float.floatToFloat16(i));
      squares += i * i;
    }
    assembler.emit(Instruction.LDR, Scalar.q(1), assembler.constant(bfloat16.array(), 16));
    assembler.emit(Instruction.MOVI, Vector.s4(0), Immediate.of(0));
    assembler.emit(Instruction.BFDOT, Vector.s4(0), Vector.h8(1), Vector.h8(1));
    assembler.emit(Instruction.FADDP, Vector.s4(0), Vector.s4(0), Vector.s4(0));
    assembler.emit(Instruction.FADDP, Scalar.s(0), Vector.s2(0));
    result("bfdot", Scalar.s(0), Float.floatToRawIntBits(squares));

    assembler.emit(Instruction.LDR, Scalar.q(1), assembler.constant(float16.array(), 16));
    assembler.emit(Instruction.FMUL, Vector.h8(0), Vector.h8(1), Vector.h8(1).element(7));
    assembler.emit(Instruction.FMAXV, Scalar.h(0), Vector.h8(0));
    result("fmaxv of float16", Scalar.h(0), Float.floatToFloat16(64));
    assembler.emit(Instruction.MOVI, Vector.s4(0), Immediate.of(0));
    assembler.emit(Instruction.FMLAL, Vector.s4(0), Vector.h4(1), Vector.h8(1).element(1));
    assembler.emit(Instruction.UMOV, Gp.w(3), Vector.s4(0).element(3));
    result("fmlal", Gp.w(3), Float.floatToRawIntBits(8));
  }

  /** The steps from 27 to 1: halve even numbers, triple odd ones and add one. */
  private void loopWithConditions() {
    Gp value = Gp.x(0);
    Gp steps = Gp.x(1);
    Label loop = assembler.label();
    Label end = assembler.label();
    assembler.move(value, 27);
    assembler.move(steps, 0);
    assembler.bind(loop);
    assembler.emit(Instruction.CMP, value, Immediate.of(1));
    assembler.emit(Instruction.B_COND, Condition.EQ, end);
    assembler.emit(Instruction.ADD, Gp.x(2), value, value, Modifier.lsl(1));
    assembler.emit(Instruction.ADD, Gp.x(2), Gp.x(2), Immediate.of(1));
    assembler.emit(Instruction.TST, value, Immediate.of(1));
    assembler.emit(Instruction.LSR, value, value, Immediate.of(1));
    assembler.emit(Instruction.CSEL, value, value, Gp.x(2), Condition.EQ);
    assembler.emit(Instruction.ADD, steps, steps, Immediate.of(1));
    assembler.emit(Instruction.B, loop);
    assembler.bind(end);
    result("steps of a loop", steps, 111);
  }

  private void constants() {
    long[] values = {
      0,
      -1,
      0x1234_5678,
      0xFFFF_FFFF_1234_5678L,
      0x5555_5555_1234_5555L,
      0x00FF_00FF_00FF_00FFL,
      0x0123_4567_89AB_CDEFL,
      Long.MIN_VALUE,
      random.nextLong()
    };
    for (long value : values) {
      assembler.move(Gp.x(5), value);
      result("constant " + value, Gp.x(5), value);
      assembler.move(Gp.w(5), (int) value);
      result("constant " + (int) value, Gp.x(5), value & 0xFFFF_FFFFL);
    }
    assembler.emit(Instruction.FMOV, Scalar.d(0), FloatImmediate.of(-0.1328125));
    result("float constant", Scalar.d(0), Double.doubleToRawLongBits(-0.1328125));
    assembler.emit(Instruction.MOVI, Vector.d2(0), Immediate.of(0xFF00_00FF_0000_FF00L));
    result("byte mask", Scalar.d(0), 0xFF00_00FF_0000_FF00L);
  }

  private void bits() {
    long a = random.nextLong();
    long b = random.nextLong();
    assembler.move(Gp.x(0), a);
    assembler.move(Gp.x(1), b);
    assembler.emit(Instruction.EOR, Gp.x(2), Gp.x(0), Gp.x(1), Modifier.of(Modifier.Kind.ROR, 13));
    result("eor", Gp.x(2), a ^ Long.rotateRight(b, 13));
    assembler.emit(Instruction.UBFX, Gp.x(2), Gp.x(0), Immediate.of(11), Immediate.of(20));
    result("ubfx", Gp.x(2), a >>> 11 & 0xF_FFFF);
    assembler.emit(Instruction.MOV, Gp.x(2), Gp.x(1));
    assembler.emit(Instruction.BFI, Gp.x(2), Gp.x(0), Immediate.of(40), Immediate.of(8));
    result("bfi", Gp.x(2), (b & ~(0xFFL << 40)) | (a & 0xFF) << 40);
    assembler.emit(Instruction.LSL, Gp.x(2), Gp.x(0), Immediate.of(7));
    result("lsl", Gp.x(2), a << 7);
    assembler.emit(Instruction.ASR, Gp.w(2), Gp.w(0), Immediate.of(9));
    result("asr", Gp.w(2), (int) a >> 9);
    assembler.emit(Instruction.SMULH, Gp.x(2), Gp.x(0), Gp.x(1));
    result("smulh", Gp.x(2), Math.multiplyHigh(a, b));
    assembler.emit(Instruction.SDIV, Gp.x(2), Gp.x(0), Gp.x(1));
    result("sdiv", Gp.x(2), a / b);
    assembler.emit(Instruction.MSUB, Gp.x(2), Gp.x(2), Gp.x(1), Gp.x(0));
    result("msub", Gp.x(2), a % b);
    assembler.emit(Instruction.ADD, Gp.x(2), Gp.x(0), Gp.w(1), Modifier.of(Modifier.Kind.SXTW, 2));
    result("sxtw", Gp.x(2), a + ((long) (int) b << 2));
    assembler.emit(Instruction.CMP, Gp.x(0), Gp.x(1));
    assembler.emit(Instruction.CSET, Gp.x(2), Condition.LO);
    result("cset", Gp.x(2), Long.compareUnsigned(a, b) < 0 ? 1 : 0);
  }

  private void conversions() {
    assembler.move(Gp.x(0), -5);
    assembler.emit(Instruction.SCVTF, Scalar.d(0), Gp.x(0));
    assembler.emit(Instruction.FMOV, Scalar.d(1), FloatImmediate.of(2));
    assembler.emit(Instruction.FDIV, Scalar.d(0), Scalar.d(0), Scalar.d(1));
    result("scvtf", Scalar.d(0), Double.doubleToRawLongBits(-2.5));
    assembler.emit(Instruction.FCVTNS, Gp.w(0), Scalar.d(0));
    result("fcvtns", Gp.w(0), -2);
    assembler.emit(Instruction.FCVTMS, Gp.x(0), Scalar.d(0));
    result("fcvtms", Gp.x(0), -3);
    assembler.emit(Instruction.FCVT, Scalar.s(0), Scalar.d(0));
    assembler.emit(Instruction.FCVT, Scalar.h(0), Scalar.s(0));
    result("fcvt", Scalar.h(0), Float.floatToFloat16(-2.5f));
    assembler.emit(Instruction.FCMP, Scalar.d(1), FloatImmediate.of(0));
    assembler.emit(Instruction.FCSEL, Scalar.d(0), Scalar.d(1), Scalar.d(0), Condition.GT);
    result("fcsel", Scalar.d(0), Double.doubleToRawLongBits(2));
  }

  private void permutations() {
    byte[] a = bytes(16);
    byte[] order = bytes(16);
    long table = 0;
    long shifted = 0;
    for (int i = 0; i < 8; i++) {
      order[i] &= 0x1F;
      long value = order[i] < 16 ? a[order[i]] & 0xFF : 0;
      table |= value << (8 * i);
      shifted |= (a[5 + i] & 0xFFL) << (8 * i);
    }
    assembler.emit(Instruction.LDR, Scalar.q(1), assembler.constant(a, 16));
    assembler.emit(Instruction.LDR, Scalar.q(2), assembler.constant(order, 16));
    assembler.emit(Instruction.TBL, Vector.b8(0), VectorList.of(Vector.b16(1), 1), Vector.b8(2));
    result("tbl", Scalar.d(0), table);
    assembler.emit(Instruction.EXT, Vector.b16(0), Vector.b16(1), Vector.b16(1), Immediate.of(5));
    result("ext", Scalar.d(0), shifted);
    long low = ByteBuffer.wrap(a).order(ByteOrder.LITTLE_ENDIAN).getLong();
    assembler.emit(Instruction.REV64, Vector.b8(0), Vector.b8(1));
    result("rev64", Scalar.d(0), Long.reverseBytes(low));
    assembler.emit(Instruction.SXTL, Vector.h8(0), Vector.b8(1));
    assembler.emit(Instruction.SMOV, Gp.x(3), Vector.h8(0).element(6));
    result("sxtl", Gp.x(3), a[6]);
    assembler.emit(Instruction.SHL, Vector.h8(0), Vector.h8(0), Immediate.of(8));
    assembler.emit(Instruction.SQSHRN, Vector.b8(0), Vector.h8(0), Immediate.of(8));
    result("sqshrn", Scalar.d(0), low);
  }

  private void structures() {
    ByteBuffer pairs = littleEndian(32);
    for (int i = 0; i < 8; i++) {
      pairs.putInt(100 + i);
    }
    address(Gp.x(0), pairs.array());
    assembler.emit(Instruction.LD2, VectorList.of(Vector.s4(0), 2), Address.of(Gp.x(0)));
    assembler.emit(Instruction.ADDV, Scalar.s(1), Vector.s4(1));
    result("ld2", Scalar.s(1), 101 + 103 + 105 + 107);
    assembler.move(Gp.x(2), 12);
    assembler.emit(
        Instruction.LD1, ElementList.of(Vector.s4(0).element(2)), Address.post(Gp.x(0), Gp.x(2)));
    assembler.emit(Instruction.UMOV, Gp.w(3), Vector.s4(0).element(2));
    result("ld1 of an element", Gp.w(3), 100);
    assembler.emit(Instruction.LD1R, VectorList.of(Vector.s4(0), 1), Address.post(Gp.x(0), 4));
    assembler.emit(Instruction.ADDV, Scalar.s(0), Vector.s4(0));
    result("ld1r", Scalar.s(0), 4 * 103);
    assembler.move(Gp.x(2), -2);
    assembler.emit(
        Instruction.LDR, Gp.w(3), Address.of(Gp.x(0), Gp.w(2), Modifier.of(Modifier.Kind.SXTW, 2)));
    result("ldr with an index", Gp.w(3), 102);
  }

  private void farBranch() {
    Label target = assembler.label();
    Label back = assembler.label();
    assembler.move(Gp.x(0), 1);
    assembler.emitFar(Instruction.TBNZ, Gp.x(0), Immediate.of(0), target);
    assembler.move(Gp.x(0), 2);
    assembler.bind(back);
    result("far branch", Gp.x(0), 7);
    Label over = assembler.label();
    assembler.emit(Instruction.B, over);
    assembler.placeConstants();
    for (int i = 0; i < 10_000; i++) {
      assembler.emit(Instruction.BRK, Immediate.of(0));
    }
    assembler.bind(target);
    assembler.emit(Instruction.ADD, Gp.x(0), Gp.x(0), Immediate.of(6));
    assembler.emit(Instruction.B, back);
    assembler.bind(over);
  }
}
