package org.relaxvm.compiler.op.lowbit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.compiler.op.OpCalls.compute;
import static org.relaxvm.compiler.op.OpCalls.floats;
import static org.relaxvm.compiler.op.OpCalls.messageOf;
import static org.relaxvm.compiler.op.OpCalls.symbol;
import static org.relaxvm.compiler.op.OpCalls.tensor;
import static org.relaxvm.compiler.op.OpCalls.textOf;

import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.dsl.ModuleBuilder;
import org.relaxvm.compiler.eval.RelaxEvaluator;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.ShapeExpr;
import org.relaxvm.tir.op.FloatCode;
import org.relaxvm.tir.op.FloatCodeOps.Rounding;
import org.relaxvm.vmcore.program.Dim;

class LowBitTest {
  private static final RelaxVar BYTES = tensor("b", DType.UINT8, 3);
  private static final RelaxVar Q = tensor("q", DType.UINT8, 2, 3, 2);
  private static final RelaxVar X = floats("x", symbol("m"), 10);

  private static Tensor bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return Tensor.of(bytes, DType.UINT8, Shape.of(values.length));
  }

  private static Call product(RelaxVar x, RelaxVar q, RelaxVar scales, long bits, long size) {
    return BlockQuantized.matmul(x, q, scales, Optional.empty(), (int) bits, size);
  }

  @Test
  void derivesTheTypes() {
    assertThat(textOf(PackedElements.unpack(BYTES, ShapeExpr.of(5, 1), 4, true)))
        .isEqualTo("R.Tensor((5, 1), dtype=\"int8\")");
    assertThat(textOf(PackedElements.pack(tensor("x", DType.INT8, 3, 3), 2)))
        .isEqualTo("R.Tensor((3,), dtype=\"uint8\")");
    assertThat(textOf(FloatCodes.encode(X, FloatCode.E8M0FNU.dtype(), true, Rounding.DOWN)))
        .isEqualTo("R.Tensor((m, 10), dtype=\"uint8\")");
    assertThat(textOf(product(X, Q, floats("s", 2, 3), 4, 4)))
        .isEqualTo("R.Tensor((m, 2), dtype=\"float32\")");
  }

  static Stream<Arguments> mistakes() {
    return Stream.of(
        Arguments.of(
            PackedElements.unpack(BYTES, ShapeExpr.of(7), 4, true),
            "unpack_bits: the extents of the number of bytes and that of elements of 4 bits must be"
                + " equal, but are 3 and 4"),
        Arguments.of(PackedElements.pack(BYTES, 3), "pack_bits: bits must be 1, 2 or 4, but is 3"),
        Arguments.of(
            PackedElements.pack(floats("x", 2), 4),
            "pack_bits: the argument x must be a tensor of int8 or uint8, but is R.Tensor((2,),"
                + " dtype=\"float32\")"),
        Arguments.of(
            FloatCodes.encode(floats("x", 2), DType.FLOAT16, true, Rounding.UP),
            "encode_float: format must be float4_e2m1fn, float8_e4m3fnuz, float8_e5m2fnuz or"
                + " float8_e8m0fnu, but is float16"),
        Arguments.of(
            product(X, Q, floats("s", 2, 3), 3, 4),
            "matmul_nbits: bits must be 2, 4 or 8, but is 3"),
        Arguments.of(
            product(X, Q, floats("s", 2, 3), 4, 3),
            "matmul_nbits: block_size must fill whole bytes, but is 3"),
        Arguments.of(
            product(X, Q, floats("s", 2, 4), 4, 4),
            "matmul_nbits: the extents of axis 1 of scales and q must be equal, but are 4 and 3"));
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void refusesWhatIsCertainlyWrong(Call call, String message) {
    assertThat(messageOf(call)).isEqualTo(message);
  }

  @Test
  void theFirstElementIsInTheLowBits() {
    Call fours = PackedElements.unpack(BYTES, ShapeExpr.of(5), 4, true);
    assertThat(compute(fours, bytes(0x21, 0xF8, 0x07)).getFirst().toLongArray())
        .containsExactly(1, 2, -8, -1, 7);
    Call twos = PackedElements.unpack(BYTES, ShapeExpr.of(3, 3), 2, false);
    assertThat(compute(twos, bytes(0xE4, 0x1B, 0x02)).getFirst().toLongArray())
        .containsExactly(0, 1, 2, 3, 3, 2, 1, 0, 2);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void packedElementsComeBack(int bits) {
    int count = 13;
    Random random = new Random(bits);
    byte[] elements = new byte[count];
    for (int i = 0; i < count; i++) {
      elements[i] = (byte) random.nextInt(1 << bits);
    }
    Tensor x = Tensor.of(elements, DType.UINT8, Shape.of(count));
    Tensor packed =
        compute(PackedElements.pack(tensor("x", DType.UINT8, count), bits), x).getFirst();
    RelaxVar there = tensor("p", DType.UINT8, packed.shape().dim(0));
    Tensor back =
        compute(PackedElements.unpack(there, ShapeExpr.of(count), bits, false), packed).getFirst();
    assertThat(back.toLongArray()).containsExactly(x.toLongArray());
    long unused = packed.toLongArray()[(int) packed.elementCount() - 1] >> count * bits % 8;
    assertThat(unused).isZero();
  }

  // ---------------------------------------------------------------- codes

  private static int[] encoded(FloatCode format, boolean saturates, Rounding rounding, float... x) {
    ModuleBuilder model = new ModuleBuilder();
    model.output(
        "y",
        FloatCodes.encode(
            model.input("x", DType.FLOAT32, Dim.of(x.length)),
            format.dtype(),
            saturates,
            rounding));
    Tensor codes =
        (Tensor) new RelaxEvaluator(model.module()).run("main", Tensor.of(x, Shape.of(x.length)));
    long[] all = codes.toLongArray();
    int[] result = new int[all.length];
    for (int i = 0; i < all.length; i++) {
      result[i] = (int) all[i];
    }
    return result;
  }

  @ParameterizedTest
  @EnumSource(FloatCode.class)
  void eachNumberOfAFormatHasItsCode(FloatCode format) {
    float[] numbers = new float[format.count()];
    for (int code = 0; code < numbers.length; code++) {
      numbers[code] = format.value(code);
    }
    int[] codes = encoded(format, true, Rounding.NEAREST, numbers);
    for (int code = 0; code < codes.length; code++) {
      assertThat(codes[code]).isEqualTo(code);
    }
  }

  /** The nearest number of a format, by trying all; of two the one with the even code. */
  private static int nearest(FloatCode format, float x) {
    int sign = format.count() / 2;
    int best = 0;
    double least = Double.POSITIVE_INFINITY;
    for (int code = 0; code < sign; code++) {
      double distance = Math.abs(format.value(code) - Math.abs((double) x));
      if (distance < least || (distance == least && code % 2 == 0)) {
        best = code;
        least = distance;
      }
    }
    boolean isZero = best == 0 && format != FloatCode.E2M1FN;
    return Math.copySign(1, x) < 0 && !isZero ? best + sign : best;
  }

  @ParameterizedTest
  @EnumSource(names = {"E2M1FN", "E4M3FNUZ", "E5M2FNUZ"})
  void numbersBecomeTheNearestOnes(FloatCode format) {
    Random random = new Random(format.ordinal());
    float[] x = new float[2000];
    for (int i = 0; i < x.length; i++) {
      // Halfway between two numbers, near it, and anywhere.
      int code = random.nextInt(format.count() / 2 - 1);
      float middle = (format.value(code) + format.value(code + 1)) / 2;
      x[i] =
          switch (i % 4) {
            case 0 -> middle;
            case 1 -> Math.nextUp(middle);
            case 2 -> -Math.nextDown(middle);
            default -> (float) (random.nextGaussian() * Math.pow(2, random.nextInt(-20, 20)));
          };
    }
    int[] codes = encoded(format, true, Rounding.UP, x);
    for (int i = 0; i < x.length; i++) {
      assertThat(codes[i]).as("%s", x[i]).isEqualTo(nearest(format, x[i]));
    }
  }

  @Test
  void whatIsTooLargeIsTheLargestOrNan() {
    float infinity = Float.POSITIVE_INFINITY;
    float[] x = {1e9f, -1e9f, infinity, -infinity, Float.NaN, -0f};
    assertThat(encoded(FloatCode.E4M3FNUZ, true, Rounding.UP, x))
        .containsExactly(0x7F, 0xFF, 0x7F, 0xFF, 0x80, 0);
    assertThat(encoded(FloatCode.E5M2FNUZ, false, Rounding.UP, x))
        .containsExactly(0x80, 0x80, 0x80, 0x80, 0x80, 0);
    assertThat(encoded(FloatCode.E2M1FN, false, Rounding.UP, x))
        .containsExactly(0x7, 0xF, 0x7, 0xF, 0x8, 0x8);
  }

  @Test
  void powersOfTwoAreRoundedAsSaid() {
    float smallest = Float.MIN_VALUE;
    float[] x = {1, 1.25f, 1.5f, 1.75f, 0x1.8p-127f, 0x1.4p-127f, smallest, 0, Float.MAX_VALUE};
    FloatCode format = FloatCode.E8M0FNU;
    assertThat(encoded(format, true, Rounding.UP, x))
        .containsExactly(127, 128, 128, 128, 1, 1, 0, 0, 254);
    assertThat(encoded(format, true, Rounding.DOWN, x))
        .containsExactly(127, 127, 127, 127, 0, 0, 0, 0, 254);
    assertThat(encoded(format, true, Rounding.NEAREST, x))
        .containsExactly(127, 127, 128, 128, 1, 0, 0, 0, 254);
    assertThat(encoded(format, false, Rounding.NEAREST, x))
        .containsExactly(127, 127, 128, 128, 1, 0, 255, 255, 255);
    float[] special = {Float.POSITIVE_INFINITY, Float.NaN};
    assertThat(encoded(format, true, Rounding.UP, special)).containsExactly(254, 255);
    assertThat(encoded(format, false, Rounding.UP, special)).containsExactly(255, 255);
  }

  // ---------------------------------------------------------------- products

  static Stream<Arguments> products() {
    return Stream.of(2, 4, 8)
        .flatMap(bits -> Stream.of(1, 9).map(rows -> Arguments.of(bits, rows)));
  }

  /** With few rows in one kernel, with many by way of the matrix. */
  @ParameterizedTest
  @MethodSource("products")
  void multipliesWithUnpackedRows(int bits, int rows) {
    int columns = 3;
    int depth = 10;
    int size = 4;
    int blocks = 3;
    Random random = new Random(bits);
    byte[] q = new byte[columns * blocks * size * bits / 8];
    random.nextBytes(q);
    byte[] zero = new byte[columns * Math.ceilDiv(blocks * bits, 8)];
    random.nextBytes(zero);
    float[] x = new float[rows * depth];
    float[] scales = new float[columns * blocks];
    for (int i = 0; i < x.length; i++) {
      x[i] = random.nextInt(-8, 8);
    }
    for (int i = 0; i < scales.length; i++) {
      scales[i] = random.nextInt(1, 5) / 4f;
    }
    float[] want = new float[rows * columns];
    for (int m = 0; m < rows; m++) {
      for (int n = 0; n < columns; n++) {
        for (int k = 0; k < depth; k++) {
          int block = k / size;
          int code = field(q, (n * blocks + block) * size * bits + k % size * bits, bits);
          int row = n * (zero.length / columns) * 8;
          int apart = code - field(zero, row + block * bits, bits);
          want[m * columns + n] += x[m * depth + k] * apart * scales[n * blocks + block];
        }
      }
    }
    ModuleBuilder model = new ModuleBuilder();
    model.output(
        "y",
        BlockQuantized.matmul(
            model.input("x", DType.FLOAT32, Dim.of(rows), Dim.of(depth)),
            model.input("q", DType.UINT8, Dim.of(columns), Dim.of(blocks), Dim.of(size * bits / 8)),
            model.input("s", DType.FLOAT32, Dim.of(columns), Dim.of(blocks)),
            Optional.of(
                model.input("z", DType.UINT8, Dim.of(columns), Dim.of(zero.length / columns))),
            bits,
            size));
    Tensor result =
        (Tensor)
            new RelaxEvaluator(model.module())
                .run(
                    "main",
                    Tensor.of(x, Shape.of(rows, depth)),
                    Tensor.of(q, DType.UINT8, Shape.of(columns, blocks, size * bits / 8)),
                    Tensor.of(scales, Shape.of(columns, blocks)),
                    Tensor.of(zero, DType.UINT8, Shape.of(columns, zero.length / columns)));
    assertThat(result.toFloatArray()).containsExactly(want);
  }

  private static int field(byte[] bytes, int firstBit, int bits) {
    return (bytes[firstBit / 8] & 0xFF) >> firstBit % 8 & (1 << bits) - 1;
  }
}
