package org.relaxvm.backendcpu.jit.functions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.relaxvm.backendcpu.jit.lir.LirWriter;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Type;
import org.relaxvm.backendcpu.jit.lir.UnsupportedCodeException;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.scalar.FloatMath;

/** Special values and a few thousand others beside the functions of the evaluator. */
class FloatFunctionsTest {
  static final double[] SPECIAL = {
    0,
    -0.0,
    1,
    -1,
    0.5,
    -0.5,
    2,
    -2,
    3,
    -3,
    2.5,
    -2.5,
    0.49999999999999994,
    4.5,
    -7.5,
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.MIN_VALUE,
    -Double.MIN_VALUE,
    Double.MAX_VALUE,
    -Double.MAX_VALUE,
    Double.MIN_NORMAL,
    Float.MIN_VALUE,
    -Float.MIN_VALUE,
    Float.MAX_VALUE,
    -Float.MAX_VALUE,
    Float.MIN_NORMAL,
    Float.MIN_NORMAL / 2,
    0x1p24,
    0x1p24 + 2,
    -0x1p24 - 2,
    0x1p31,
    0x1p52,
    0x1p52 + 1,
    -0x1p53,
    0x1p62,
    -0x1p63,
    0x1p-30,
    -0x1p-30,
    1e5,
    1e6,
    -1e7,
    1e8,
    1e18,
    -1e18,
    1e30,
    -1e30,
    1e300,
    -1e300,
    88.72284,
    88.8,
    -87.4,
    -103.9,
    -104.1,
    -110,
    709.78,
    709.8,
    710.5,
    -708.5,
    -745.1,
    -745.2,
    20,
    -20,
    9.01,
    4.1,
    5.9,
    0.75,
    -0.99999999,
    1.00000001,
    0x1.921fb6p0,
    0x1.921fb54442d18p0,
    0x1.921fb54442d18p+500,
    0.625,
    0.41421356,
    2.4142136,
    128,
    -150
  };

  private final long seed = Long.getLong("relaxvm.seed", System.nanoTime());

  static List<Intrinsic> functions(int arity) {
    return Arrays.stream(Intrinsic.values())
        .filter(op -> op.arity() == arity && op.rule() != Intrinsic.Rule.INTEGER)
        .toList();
  }

  private static FloatFunctions functions(Machine machine) {
    return new FloatFunctions(machine.target());
  }

  static ElementLoop loop(Intrinsic op, Type type, Machine machine) {
    FloatFunctions functions = functions(machine);
    return ElementLoop.of(
        type,
        (writer, x, y) ->
            op.arity() == 1
                ? functions.write(writer, op, type, x)
                : functions.write(writer, op, type, x, y));
  }

  private interface TypeTest {
    void run(Machine machine, Type type);
  }

  /** A test for each machine and each of its types. */
  private static Stream<DynamicTest> each(String name, TypeTest test) {
    return Machine.all().stream()
        .flatMap(
            machine ->
                machine
                    .floats()
                    .map(
                        type ->
                            DynamicTest.dynamicTest(
                                name + " " + type + " " + machine, () -> test.run(machine, type))));
  }

  @TestFactory
  Stream<DynamicTest> functionsOfOneFloatAreThoseOfTheEvaluator() {
    return functions(1).stream()
        .flatMap(op -> each(op.text(), (machine, type) -> compare(op, type, machine)));
  }

  private void compare(Intrinsic op, Type type, Machine machine) {
    double[] x = arguments(type, machine.isInterpreter() ? 200 : 3000);
    double[] results = loop(op, type, machine).run(machine, x, x);
    for (int i = 0; i < x.length; i++) {
      double expected =
          op.rule() == Intrinsic.Rule.FLOAT_TEST
              ? Evaluated.test(op, x[i]) ? 1 : 0
              : Evaluated.apply(op, x[i]);
      if (Ulps.between(expected, results[i], type.bits()) > Ulps.bound(op, type.bits())) {
        fail("%s(%s) = %s, not %s, seed %d", op, x[i], results[i], expected, seed);
      }
    }
  }

  private double[] arguments(Type type, int count) {
    Random random = new Random(seed);
    double[] all = Arrays.copyOf(SPECIAL, SPECIAL.length + count);
    for (int i = SPECIAL.length; i < all.length; i++) {
      all[i] =
          switch (i % 4) {
            case 0 -> random.nextGaussian();
            case 1 -> random.nextGaussian() * 20;
            case 2 -> random.nextDouble() * 2 - 1;
            default ->
                type.bits() == 32
                    ? Float.intBitsToFloat(random.nextInt())
                    : Double.longBitsToDouble(random.nextLong());
          };
    }
    return type.bits() == 32 ? Arrays.stream(all).map(x -> (float) x).toArray() : all;
  }

  @TestFactory
  Stream<DynamicTest> functionsOfTwoFloatsAreThoseOfTheEvaluator() {
    return Stream.of(Intrinsic.POW, Intrinsic.ATAN2)
        .flatMap(op -> each(op.text(), (machine, type) -> comparePairs(op, type, machine)));
  }

  /** All pairs of special numbers and some others; a part of them for the interpreter. */
  private double[][] pairs(Type type, Machine machine) {
    double[] values = arguments(type, 12);
    int step = machine.isInterpreter() ? 1 + new Random(seed).nextInt(3) * 2 : 1;
    int count = values.length * values.length / step;
    double[] x = new double[count];
    double[] y = new double[count];
    for (int i = 0; i < count; i++) {
      x[i] = values[i * step / values.length];
      y[i] = values[i * step % values.length];
    }
    return new double[][] {x, y};
  }

  private void comparePairs(Intrinsic op, Type type, Machine machine) {
    double[][] pairs = pairs(type, machine);
    double[] x = pairs[0];
    double[] y = pairs[1];
    double[] results = loop(op, type, machine).run(machine, x, y);
    for (int i = 0; i < results.length; i++) {
      double expected = Evaluated.apply(op, x[i], y[i]);
      if (Ulps.between(expected, results[i], type.bits()) > Ulps.bound(op, type.bits())) {
        fail("%s(%s, %s) = %s, not %s, seed %d", op, x[i], y[i], results[i], expected, seed);
      }
    }
  }

  @TestFactory
  Stream<DynamicTest> remaindersAreExact() {
    return Stream.of(false, true)
        .flatMap(
            isFloor ->
                each(
                    isFloor ? "floor_mod" : "mod",
                    (machine, type) ->
                        compareExactly(
                            isFloor ? BinaryOp.FLOOR_MOD : BinaryOp.MOD,
                            type,
                            machine,
                            (w, x, y) ->
                                functions(machine).writeRemainder(w, isFloor, type, x, y))));
  }

  @TestFactory
  Stream<DynamicTest> floorQuotientsAreThoseOfTheEvaluator() {
    return each(
        "floor_div",
        (machine, type) ->
            compareExactly(
                BinaryOp.FLOOR_DIV,
                type,
                machine,
                (w, x, y) -> functions(machine).writeFloorQuotient(w, type, x, y)));
  }

  private void compareExactly(BinaryOp op, Type type, Machine machine, ElementLoop.Body body) {
    double[][] pairs = pairs(type, machine);
    double[] results = ElementLoop.of(type, body).run(machine, pairs[0], pairs[1]);
    for (int i = 0; i < results.length; i++) {
      double expected = FloatMath.apply(op, pairs[0][i], pairs[1][i]);
      double rounded = type.bits() == 32 ? (float) expected : expected;
      if (Double.compare(results[i], rounded) != 0) {
        fail(
            "%s %s %s = %s, not %s, seed %d",
            pairs[0][i], op, pairs[1][i], results[i], rounded, seed);
      }
    }
  }

  @TestFactory
  Stream<DynamicTest> resultsDependNeitherOnTheMachineNorOnTheNumberOfLanes() {
    return Stream.concat(functions(1).stream(), functions(2).stream())
        .flatMap(
            op ->
                Stream.of(32, 64)
                    .map(
                        bits ->
                            DynamicTest.dynamicTest(
                                op.text() + " of float" + bits, () -> compareBits(op, bits))));
  }

  private void compareBits(Intrinsic op, int bits) {
    double[] x = arguments(Type.floats(bits, 1), 40);
    double[] y = new double[x.length];
    for (int i = 0; i < y.length; i++) {
      y[i] = x[x.length - 1 - i];
    }
    double[] expected = null;
    for (Machine machine : Machine.all()) {
      for (Type type : machine.floats().filter(t -> t.bits() == bits).toList()) {
        double[] results = loop(op, type, machine).run(machine, x, y);
        if (expected == null) {
          expected = results;
        }
        assertThat(results).as("%s on %s, seed %d", type, machine, seed).isEqualTo(expected);
      }
    }
  }

  @TestFactory
  Stream<DynamicTest> conditionsChooseLanes() {
    return each("if_then_else", FloatFunctionsTest::compareChoice);
  }

  private static void compareChoice(Machine machine, Type type) {
    FloatFunctions functions = functions(machine);
    ElementLoop loop =
        ElementLoop.of(
            type,
            (writer, x, y) -> {
              Reg isNan = functions.write(writer, Intrinsic.ISNAN, type, x);
              return functions.write(writer, Intrinsic.IF_THEN_ELSE, type, isNan, y, x);
            });
    double[] x = {Double.NaN, 1, 2, Double.NaN, 3};
    double[] y = {5, 6, 7, 8, 9};
    assertThat(loop.run(machine, x, y)).containsExactly(5, 1, 2, 8, 3);
  }

  @Test
  void functionsOfIntegersAndWrongOperandsAreRejected() {
    FloatFunctions functions = functions(Machine.all().getFirst());
    LirWriter writer = new LirWriter("test");
    Type type = Type.floats(64, 4);
    Reg lanes = writer.reg(type);
    assertThatThrownBy(() -> functions.write(writer, Intrinsic.SHIFT_LEFT, type, lanes, lanes))
        .isInstanceOf(UnsupportedCodeException.class)
        .hasMessage("machine code of this processor has no shift_left of f64x4");
    assertThatThrownBy(() -> functions.write(writer, Intrinsic.EXP, type, writer.reg(Type.FLOAT64)))
        .hasMessage("operands of exp must have type f64x4, but got [%5]");
    assertThatThrownBy(() -> functions.write(writer, Intrinsic.POW, type, lanes))
        .hasMessage("pow takes 2 operands, but got 1");
  }
}
