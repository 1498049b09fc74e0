package org.relaxvm.backendcpu.jit.functions;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.jit.lir.LirWriter;
import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Operand.Const;
import org.relaxvm.backendcpu.jit.lir.Operand.Imm;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Target;
import org.relaxvm.backendcpu.jit.lir.Type;
import org.relaxvm.backendcpu.jit.lir.UnsupportedCodeException;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.IntegerMath;
import org.relaxvm.tir.expr.Intrinsic;

/** Functions of integers beside those of the evaluator, in words and in lanes. */
class IntegerFunctionsTest {
  private static final List<DType> DTYPES =
      List.of(
          DType.INT8,
          DType.INT16,
          DType.INT32,
          DType.INT64,
          DType.UINT8,
          DType.UINT16,
          DType.UINT32,
          DType.UINT64);
  private static final List<Intrinsic> FUNCTIONS =
      List.of(
          Intrinsic.ABS,
          Intrinsic.BITWISE_NOT,
          Intrinsic.BITWISE_AND,
          Intrinsic.BITWISE_OR,
          Intrinsic.BITWISE_XOR,
          Intrinsic.SHIFT_LEFT,
          Intrinsic.SHIFT_RIGHT,
          Intrinsic.POW);
  private static final List<BinaryOp> QUOTIENTS =
      List.of(BinaryOp.DIV, BinaryOp.MOD, BinaryOp.FLOOR_DIV, BinaryOp.FLOOR_MOD);

  /** The types that hold integers of a dtype. */
  static List<Type> types(DType dtype, Machine machine) {
    List<Type> types = new ArrayList<>(List.of(Type.WORD));
    for (int bits = dtype.bits(); bits <= Long.SIZE; bits *= 2) {
      types.add(Type.ints(bits, machine.target().vectorBits() / bits));
    }
    return types;
  }

  private interface MachineTest {
    void run(Machine machine);
  }

  private static Stream<DynamicTest> each(String name, MachineTest test) {
    return Machine.all().stream()
        .map(machine -> DynamicTest.dynamicTest(name + " " + machine, () -> test.run(machine)));
  }

  /** Integers of a dtype. */
  static long[] values(DType dtype, int count) {
    Random random = new Random(7);
    long[] edges = {0, 1, 2, 3, 7, 8, 9, 15, 31, 32, 33, 63, 64, 127, 128, 255, 1L << 31, 1L << 62};
    return LongStream.concat(
            LongStream.concat(LongStream.of(edges), LongStream.of(edges).map(x -> ~x)),
            random.longs(count).map(x -> x >> random.nextInt(64)))
        .map(x -> IntegerMath.wrap(dtype, x))
        .toArray();
  }

  private static void compare(
      Machine machine,
      String what,
      DType dtype,
      ElementLoop loop,
      long[] x,
      long[] y,
      long[] expected) {
    long[] results = loop.run(machine, x, y);
    for (int i = 0; i < results.length; i++) {
      // Elements in memory have the bits of their type.
      int unused = Long.SIZE - loop.result().bits();
      if (results[i] << unused != expected[i] << unused) {
        fail(
            "%s of %s: %d, %d in %s on %s is %d, not %d",
            what, dtype, x[i], y[i], loop.operand(), machine, results[i], expected[i]);
      }
    }
  }

  private static long[][] pairs(long[] values) {
    int count = values.length * values.length;
    long[][] pairs = new long[2][count];
    for (int i = 0; i < count; i++) {
      pairs[0][i] = values[i / values.length];
      pairs[1][i] = values[i % values.length];
    }
    return pairs;
  }

  private static Reg inRegister(LirWriter writer, Operand operand) {
    return writer.inRegister(operand);
  }

  @TestFactory
  Stream<DynamicTest> functionsAreThoseOfTheEvaluator() {
    return DTYPES.stream()
        .flatMap(
            dtype ->
                FUNCTIONS.stream()
                    .flatMap(
                        op ->
                            each(
                                op.text() + " " + dtype,
                                machine -> compareFunction(op, dtype, machine))));
  }

  private static void compareFunction(Intrinsic op, DType dtype, Machine machine) {
    IntegerFunctions functions = new IntegerFunctions(machine.target());
    long[][] pairs = pairs(values(dtype, machine.isInterpreter() ? 1 : 12));
    long[] expected = new long[pairs[0].length];
    for (int i = 0; i < expected.length; i++) {
      expected[i] =
          op.arity() == 1
              ? Evaluated.apply(op, dtype, pairs[0][i])
              : Evaluated.apply(op, dtype, pairs[0][i], pairs[1][i]);
    }
    for (Type type : types(dtype, machine)) {
      ElementLoop.Body body =
          (writer, x, y) ->
              inRegister(
                  writer,
                  op.arity() == 1
                      ? functions.write(writer, op, dtype, x)
                      : functions.write(writer, op, dtype, x, y));
      if (isShift(op) && !machine.target().supports(Op.SHL, type, type)) {
        assertThatThrownBy(() -> ElementLoop.of(type, body))
            .isInstanceOf(UnsupportedCodeException.class);
      } else {
        ElementLoop loop = ElementLoop.of(type, body);
        compare(machine, op.text(), dtype, loop, pairs[0], pairs[1], expected);
      }
    }
  }

  private static boolean isShift(Intrinsic op) {
    return op == Intrinsic.SHIFT_LEFT || op == Intrinsic.SHIFT_RIGHT;
  }

  @TestFactory
  Stream<DynamicTest> constantSecondOperandsGiveTheSame() {
    return Stream.of(DType.INT32, DType.UINT8, DType.INT64)
        .flatMap(
            dtype ->
                Stream.of(Intrinsic.SHIFT_LEFT, Intrinsic.SHIFT_RIGHT, Intrinsic.POW)
                    .flatMap(
                        op ->
                            each(
                                op.text() + " " + dtype,
                                machine -> compareConstants(op, dtype, machine))));
  }

  private static void compareConstants(Intrinsic op, DType dtype, Machine machine) {
    IntegerFunctions functions = new IntegerFunctions(machine.target());
    long[] values = values(dtype, 20);
    for (long constant : new long[] {0, 1, 3, 8, 31, 64, -1}) {
      long wrapped = IntegerMath.wrap(dtype, constant);
      long[] expected =
          LongStream.of(values).map(x -> Evaluated.apply(op, dtype, x, wrapped)).toArray();
      for (Type type : types(dtype, machine)) {
        Operand operand = type.isWord() ? new Imm(wrapped) : new Const(type, wrapped);
        ElementLoop loop =
            ElementLoop.of(
                type,
                (writer, x, y) ->
                    inRegister(writer, functions.write(writer, op, dtype, x, operand)));
        compare(machine, op.text() + " " + constant, dtype, loop, values, values, expected);
      }
    }
  }

  @TestFactory
  Stream<DynamicTest> quotientsAreThoseOfTheEvaluator() {
    return DTYPES.stream()
        .flatMap(
            dtype ->
                QUOTIENTS.stream()
                    .flatMap(
                        op ->
                            each(
                                op.text() + " " + dtype,
                                machine -> compareQuotient(op, dtype, machine))));
  }

  private static void compareQuotient(BinaryOp op, DType dtype, Machine machine) {
    IntegerQuotients quotients = new IntegerQuotients(machine.target());
    long[] values = values(dtype, machine.isInterpreter() ? 1 : 12);
    long[][] pairs = pairs(values);
    for (int i = 0; i < pairs[1].length; i++) {
      pairs[1][i] = pairs[1][i] == 0 ? 1 : pairs[1][i];
    }
    long[] expected = new long[pairs[0].length];
    for (int i = 0; i < expected.length; i++) {
      expected[i] = IntegerMath.apply(op, dtype, pairs[0][i], pairs[1][i]);
    }
    for (Type type : types(dtype, machine)) {
      if (type.isWord() || type.bits() == 32) {
        ElementLoop loop =
            ElementLoop.of(
                type,
                (writer, x, y) -> inRegister(writer, quotients.write(writer, op, dtype, x, y)));
        compare(machine, op.text(), dtype, loop, pairs[0], pairs[1], expected);
      }
    }
    for (long divisor : new long[] {1, 2, 3, 16, 64, -1, -8}) {
      long wrapped = IntegerMath.wrap(dtype, divisor);
      long[] constant =
          LongStream.of(values).map(x -> IntegerMath.apply(op, dtype, x, wrapped)).toArray();
      ElementLoop loop =
          ElementLoop.of(
              Type.WORD,
              (writer, x, y) ->
                  inRegister(writer, quotients.write(writer, op, dtype, x, new Imm(wrapped))));
      compare(machine, op.text() + " " + divisor, dtype, loop, values, values, constant);
    }
  }

  @Test
  void whatThereIsNoCodeForIsRejected() {
    Target target = Machine.all().getFirst().target();
    LirWriter writer = new LirWriter("test");
    Reg lanes = writer.reg(Type.ints(64, 4));
    assertThatThrownBy(
            () ->
                new IntegerQuotients(target).write(writer, BinaryOp.DIV, DType.INT64, lanes, lanes))
        .isInstanceOf(UnsupportedCodeException.class)
        .hasMessage("machine code of this processor has no quotient of i64x4");
    assertThatThrownBy(
            () -> new IntegerFunctions(target).write(writer, Intrinsic.EXP, DType.INT64, lanes))
        .hasMessage("machine code of this processor has no exp of int64");
  }
}
