package org.relaxvm.backendcpu.jit.functions;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.relaxvm.api.DType;
import org.relaxvm.api.Float8;
import org.relaxvm.backendcpu.jit.lir.LirWriter;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Type;
import org.relaxvm.backendcpu.jit.lir.UnsupportedCodeException;
import org.relaxvm.tir.expr.IntegerMath;
import org.relaxvm.tir.scalar.FloatRounding;
import org.relaxvm.tir.scalar.Scalars;

/** Casts beside those of the evaluator, of one element and of lanes. */
class ConversionsTest {
  private static final List<DType> INTEGERS =
      List.of(
          DType.BOOL,
          DType.INT8,
          DType.INT16,
          DType.INT32,
          DType.INT64,
          DType.UINT8,
          DType.UINT16,
          DType.UINT32,
          DType.UINT64);
  private static final List<DType> SMALL_FLOATS =
      List.of(DType.FLOAT16, DType.BFLOAT16, DType.FLOAT8_E4M3FN, DType.FLOAT8_E5M2);
  private static final List<DType> FLOATS =
      Stream.concat(SMALL_FLOATS.stream(), Stream.of(DType.FLOAT32, DType.FLOAT64)).toList();

  private static Stream<DType> all() {
    return Stream.concat(INTEGERS.stream(), FLOATS.stream());
  }

  /** As many lanes as float64 has. */
  private static int lanes(Machine machine) {
    return machine.target().vectorBits() / 64;
  }

  /** The types that hold values of a dtype: of one, and of lanes. */
  private static List<Type> types(DType dtype, Machine machine) {
    int lanes = lanes(machine);
    if (dtype.isFloat()) {
      int bits = dtype.equals(DType.FLOAT64) ? 64 : 32;
      return List.of(Type.floats(bits, 1), Type.floats(bits, lanes));
    }
    int bits = dtype.bits() == 64 ? 64 : 32;
    return dtype.bits() < 32
        ? List.of(Type.WORD, Type.ints(bits, lanes), Type.ints(dtype.bits(), lanes))
        : List.of(Type.WORD, Type.ints(bits, lanes));
  }

  /** Values of a dtype as {@link Scalars} has them. */
  private static long[] values(DType dtype, Machine machine) {
    long[] all = values(dtype);
    return machine.isInterpreter()
        ? IntStream.range(0, all.length / 5 + 1).mapToLong(i -> all[i * 5 % all.length]).toArray()
        : all;
  }

  private static long[] values(DType dtype) {
    if (!dtype.isFloat()) {
      return dtype.equals(DType.BOOL)
          ? new long[] {0, 1}
          : LongStream.concat(
                  LongStream.of(IntegerFunctionsTest.values(dtype, 300)), halfway(dtype))
              .toArray();
    }
    Random random = new Random(3);
    DoubleStream integers =
        LongStream.of(IntegerFunctionsTest.values(DType.INT64, 40)).asDoubleStream();
    DoubleStream near =
        IntStream.range(0, 500)
            .mapToDouble(
                i -> Math.scalb(1 + random.nextInt(4096) / 4096.0, random.nextInt(80) - 40))
            .flatMap(x -> DoubleStream.of(x, -x, Math.nextUp(x), Math.nextDown(x)));
    return Stream.of(DoubleStream.of(FloatFunctionsTest.SPECIAL), integers, near)
        .flatMapToDouble(x -> x)
        .mapToLong(x -> Scalars.ofDouble(dtype, x))
        .toArray();
  }

  /** Integers next to those that are halfway between two floats. */
  private static LongStream halfway(DType dtype) {
    return LongStream.range(0, 64)
        .flatMap(
            shift ->
                LongStream.of(0x181, 0x101, 0x1000001, 0x3000001, 0x801, 0x20000000000001L)
                    .map(x -> x << shift)
                    .flatMap(x -> LongStream.of(x, x + 1, x - 1, -x)))
        .map(x -> IntegerMath.wrap(dtype, x));
  }

  private interface MachineTest {
    void run(Machine machine);
  }

  private static Stream<DynamicTest> each(String name, MachineTest test) {
    return Machine.all().stream()
        .map(machine -> DynamicTest.dynamicTest(name + " " + machine, () -> test.run(machine)));
  }

  @TestFactory
  Stream<DynamicTest> castsAreThoseOfTheEvaluator() {
    return all()
        .flatMap(
            from ->
                all()
                    .flatMap(
                        to -> each(from + " to " + to, machine -> compare(from, to, machine))));
  }

  private static void compare(DType from, DType to, Machine machine) {
    Conversions conversions = new Conversions(machine.target());
    long[] values = values(from, machine);
    for (Type operand : types(from, machine)) {
      for (Type result : types(to, machine)) {
        if (operand.lanes() != result.lanes()) {
          continue;
        }
        ElementLoop loop =
            ElementLoop.of(
                operand,
                result,
                (writer, x, y) ->
                    writer.inRegister(conversions.write(writer, from, to, result, x)));
        long[] arguments = LongStream.of(values).map(x -> stored(x, from, operand)).toArray();
        long[] results = loop.run(machine, arguments, arguments);
        for (int i = 0; i < values.length; i++) {
          long cast = Scalars.cast(from, to, values[i]);
          long expected = stored(cast, to, result);
          boolean isNan = to.isFloat() && Double.isNaN(Scalars.toDouble(cast));
          boolean isSame =
              isNan ? isNan(results[i], result) : low(results[i], result) == low(expected, result);
          if (!isSame) {
            fail(
                "%s %s in %s as %s in %s on %s: %x, not %x",
                from,
                Scalars.text(from, values[i]),
                operand,
                to,
                result,
                machine,
                results[i],
                expected);
          }
        }
      }
    }
  }

  private static long stored(long value, DType dtype, Type type) {
    return dtype.isFloat() && type.bits() == 32
        ? Float.floatToRawIntBits((float) Scalars.toDouble(value))
        : value;
  }

  private static boolean isNan(long bits, Type type) {
    return type.bits() == 32
        ? Float.isNaN(Float.intBitsToFloat((int) bits))
        : Double.isNaN(Double.longBitsToDouble(bits));
  }

  private static long low(long value, Type type) {
    return value << (Long.SIZE - type.bits());
  }

  @TestFactory
  Stream<DynamicTest> allElementsOfSmallFloatsAreDecoded() {
    return SMALL_FLOATS.stream()
        .flatMap(
            dtype ->
                each(
                    dtype.toString(),
                    machine -> {
                      compareDecoded(dtype, 1, machine);
                      compareDecoded(dtype, 2 * lanes(machine), machine);
                    }));
  }

  private static void compareDecoded(DType dtype, int lanes, Machine machine) {
    SmallFloats floats = new SmallFloats(machine.target());
    int step = machine.isInterpreter() ? 19 : 1;
    long[] codes = LongStream.range(0, (1L << dtype.bits()) / step).map(i -> i * step).toArray();
    Type type = SmallFloats.codeType(dtype, lanes);
    ElementLoop loop =
        ElementLoop.of(type, (writer, x, y) -> floats.decode(writer, dtype, lanes, x));
    ElementLoop back =
        ElementLoop.of(
            type,
            (writer, x, y) -> floats.encode(writer, dtype, floats.decode(writer, dtype, lanes, x)));
    long[] results = loop.run(machine, codes, codes);
    long[] again = back.run(machine, codes, codes);
    for (int i = 0; i < codes.length; i++) {
      int code = (int) codes[i];
      float expected = decoded(dtype, code);
      float result = Float.intBitsToFloat((int) results[i]);
      if (Float.compare(result, expected) != 0) {
        fail("%s %x: %s, not %s", dtype, code, result, expected);
      }
      int encoded = (int) again[i] & 0xFFFF;
      boolean isSame =
          Float.isNaN(expected) ? Float.isNaN(decoded(dtype, encoded)) : encoded == code;
      if (!isSame) {
        fail("%s %x became %x", dtype, code, encoded);
      }
    }
  }

  private static float decoded(DType dtype, int code) {
    if (dtype.equals(DType.FLOAT16)) {
      return Float.float16ToFloat((short) code);
    }
    return dtype.equals(DType.BFLOAT16)
        ? Float.intBitsToFloat(code << 16)
        : Float8.of(dtype).orElseThrow().toFloat((byte) code);
  }

  @TestFactory
  Stream<DynamicTest> roundingIsToTheNearest() {
    return SMALL_FLOATS.stream()
        .flatMap(dtype -> each(dtype.toString(), machine -> compareRounded(dtype, machine)));
  }

  private static void compareRounded(DType dtype, Machine machine) {
    SmallFloats floats = new SmallFloats(machine.target());
    int count = machine.isInterpreter() ? 1_000 : 20_000;
    long[] x = new Random(5).ints(count).mapToLong(bits -> bits & 0xFFFF_FFFFL).toArray();
    Type type = Type.floats(32, 2 * lanes(machine));
    ElementLoop loop = ElementLoop.of(type, (writer, a, b) -> floats.round(writer, dtype, a));
    long[] results = loop.run(machine, x, x);
    for (int i = 0; i < x.length; i++) {
      float value = Float.intBitsToFloat((int) x[i]);
      float result = Float.intBitsToFloat((int) results[i]);
      if (Double.compare(result, FloatRounding.round(dtype, value)) != 0) {
        fail("%s of %s on %s: %s", dtype, value, machine, result);
      }
    }
  }

  @Test
  void castsOfOtherNumbersOfLanesAreRejected() {
    LirWriter writer = new LirWriter("test");
    Reg x = writer.reg(Type.floats(32, 8));
    assertThatThrownBy(
            () ->
                new Conversions(Machine.all().getFirst().target())
                    .write(writer, DType.FLOAT32, DType.FLOAT64, Type.floats(64, 4), x))
        .isInstanceOf(UnsupportedCodeException.class)
        .hasMessage(
            "machine code of this processor has no cast from float32 to float64 of f32x8 as f64x4");
  }
}
