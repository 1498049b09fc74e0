package org.relaxvm.interoptvm.functions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

class SortFunctionsTest {
  private static final String ARGSORT = "tvm.contrib.sort.argsort";
  private static final String SORT = "tvm.contrib.sort.sort";
  private static final String TOPK = "tvm.contrib.sort.topk";
  private static final String NMS = "tvm.contrib.sort.argsort_nms";

  @ParameterizedTest
  @EnumSource
  void equalElementsKeepTheirOrderBothWays(Caller caller) {
    Tensor x = floats(2, 1, 2, 3, 1);
    assertThat(argsort(caller, x, DType.INT32, 0, true)).containsExactly(1, 4, 0, 2, 3);
    assertThat(argsort(caller, x, DType.INT32, 0, false)).containsExactly(3, 0, 2, 1, 4);
    assertThat(sort(caller, x, 0, true)).containsExactly(1, 1, 2, 2, 3);
    assertThat(sort(caller, x, 0, false)).containsExactly(3, 2, 2, 1, 1);
  }

  @ParameterizedTest
  @EnumSource
  void notANumberIsTheLargestAndBothZerosAreEqual(Caller caller) {
    float nan = Float.NaN;
    float infinite = Float.POSITIVE_INFINITY;
    Tensor x = floats(nan, 0f, infinite, -0f, -infinite, nan, -1);
    assertThat(argsort(caller, x, DType.INT64, 0, true)).containsExactly(4, 6, 1, 3, 2, 0, 5);
    assertThat(argsort(caller, x, DType.INT64, 0, false)).containsExactly(0, 5, 2, 1, 3, 6, 4);
    assertThat(sort(caller, x, 0, true))
        .containsExactly(-infinite, -1, 0f, -0f, infinite, nan, nan);
  }

  @ParameterizedTest
  @EnumSource
  void everyAxisIsSorted(Caller caller) {
    Tensor x = floats(5, 0, 4, 1, 3, 2).reshape(Shape.of(2, 3));
    assertThat(sort(caller, x, 0, true)).containsExactly(1, 0, 2, 5, 3, 4);
    assertThat(sort(caller, x, -2, true)).containsExactly(1, 0, 2, 5, 3, 4);
    assertThat(sort(caller, x, 1, true)).containsExactly(0, 4, 5, 1, 2, 3);
    assertThat(sort(caller, x, -1, false)).containsExactly(5, 4, 0, 3, 2, 1);
    assertThat(argsort(caller, x, DType.INT32, 0, true)).containsExactly(1, 0, 1, 0, 1, 0);
    assertThat(argsort(caller, x, DType.INT32, -1, true)).containsExactly(1, 2, 0, 0, 2, 1);
  }

  @ParameterizedTest
  @CsvSource({
    "JAVA, int32",
    "JAVA, int64",
    "JAVA, float32",
    "JAVA, float64",
    "JAVA, int8",
    "JAVA, uint8",
    "MACHINE, int32",
    "MACHINE, int64",
    "MACHINE, float32",
    "MACHINE, float64",
    "MACHINE, uint8"
  })
  void indicesHaveTheTypeOfTheOutput(Caller caller, String dtype) {
    Tensor x = floats(30, 10, 20);
    Tensor out = Tensor.zeros(DType.parse(dtype), x.shape());
    caller.call(ARGSORT, x, out, 0, true);
    assertThat(out.toDoubleArray()).containsExactly(1, 2, 0);
    Tensor values = Tensor.zeros(DType.FLOAT32, Shape.of(2));
    Tensor indices = Tensor.zeros(DType.parse(dtype), Shape.of(2));
    caller.call(TOPK, x, values, indices, 2, 0, "both", false);
    assertThat(values.toFloatArray()).containsExactly(30, 20);
    assertThat(indices.toDoubleArray()).containsExactly(0, 2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "int8",
        "uint8",
        "int16",
        "uint16",
        "int32",
        "uint32",
        "int64",
        "uint64",
        "float16",
        "bfloat16",
        "float32",
        "float64"
      })
  void everyNumberIsSortedAsTheKernelDoes(String dtype) {
    Tensor x = Tensor.zeros(DType.parse(dtype), Shape.of(3, 50));
    MemorySegment bytes = x.segment();
    byte[] random = new byte[(int) bytes.byteSize()];
    new Random(7).nextBytes(random);
    bytes.copyFrom(MemorySegment.ofArray(random));
    for (boolean ascending : new boolean[] {true, false}) {
      for (int axis = 0; axis < 2; axis++) {
        assertThat(argsort(Caller.JAVA, x, DType.INT64, axis, ascending))
            .isEqualTo(argsort(Caller.MACHINE, x, DType.INT64, axis, ascending));
        Tensor plain = Tensor.zeros(x.dtype(), x.shape());
        Tensor kernel = Tensor.zeros(x.dtype(), x.shape());
        Caller.JAVA.call(SORT, x, plain, axis, ascending);
        Caller.MACHINE.call(SORT, x, kernel, axis, ascending);
        assertThat(plain.segment().mismatch(kernel.segment())).isEqualTo(-1);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void theOrderIsThatOfAStableSort(Caller caller) {
    Random random = new Random(3);
    int[] values = random.ints(500, -20, 20).toArray();
    long[] expected =
        IntStream.range(0, values.length)
            .boxed()
            .sorted(Comparator.comparing((Integer i) -> values[i], Comparator.reverseOrder()))
            .mapToLong(Integer::longValue)
            .toArray();
    Tensor x = Tensor.of(values, Shape.of(values.length));
    assertThat(argsort(caller, x, DType.INT32, 0, false)).isEqualTo(expected);
    for (int k : new int[] {1, 2, 10, 250, 499, 500}) {
      Tensor indices = Tensor.zeros(DType.INT64, Shape.of(k));
      caller.call(TOPK, x, indices, k, -1, "indices", false);
      assertThat(indices.toLongArray()).isEqualTo(Arrays.copyOf(expected, k));
    }
  }

  @ParameterizedTest
  @EnumSource
  void topkGivesWhatItsTypeSays(Caller caller) {
    Tensor x = floats(5, 0, 4, 1, 3, 2).reshape(Shape.of(2, 3));
    Tensor values = Tensor.zeros(DType.FLOAT32, Shape.of(2, 2));
    Tensor indices = Tensor.zeros(DType.INT32, Shape.of(2, 2));
    caller.call(TOPK, x, values, indices, 2, 1, "both", false);
    assertThat(values.toFloatArray()).containsExactly(5, 4, 3, 2);
    assertThat(indices.toLongArray()).containsExactly(0, 2, 1, 2);
    caller.call(TOPK, x, values, 2, -1, "values", true);
    assertThat(values.toFloatArray()).containsExactly(0, 4, 1, 2);
    caller.call(TOPK, x, indices, 2, -1, "indices", 1);
    assertThat(indices.toLongArray()).containsExactly(1, 2, 0, 2);
    Tensor first = Tensor.zeros(DType.FLOAT32, Shape.of(1, 3));
    caller.call(TOPK, x, first, 1, 0, "values", false);
    assertThat(first.toFloatArray()).containsExactly(5, 3, 4);
  }

  @ParameterizedTest
  @CsvSource({"JAVA, 0", "JAVA, -1", "MACHINE, 0", "MACHINE, -5"})
  void topkOfNoneIsTopkOfAll(Caller caller, long k) {
    Tensor values = Tensor.zeros(DType.FLOAT32, Shape.of(3));
    caller.call(TOPK, floats(1, 3, 2), values, k, 0, "values", false);
    assertThat(values.toFloatArray()).containsExactly(3, 2, 1);
  }

  @ParameterizedTest
  @EnumSource
  void emptyTensorsAreSorted(Caller caller) {
    Tensor none = Tensor.zeros(DType.FLOAT32, Shape.of(0, 3));
    assertThat(sort(caller, none, 0, true)).isEmpty();
    assertThat(sort(caller, none, 1, true)).isEmpty();
    Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(0, 2));
    caller.call(TOPK, none, out, 2, 1, "values", true);
  }

  @ParameterizedTest
  @EnumSource
  void stridedTensorsAndTheInputItselfAreWritten(Caller caller) {
    Tensor x = floats(3, 9, 1, 9, 2, 9);
    Tensor every2nd = x.stridedView(Shape.of(3), new long[] {2}, 0);
    Tensor wide = Tensor.zeros(DType.FLOAT32, Shape.of(3, 2));
    Tensor column = wide.stridedView(Shape.of(3), new long[] {2}, 1);
    caller.call(SORT, every2nd, column, 0, true);
    assertThat(wide.toFloatArray()).containsExactly(0, 1, 0, 2, 0, 3);
    caller.call(SORT, every2nd, every2nd, 0, true);
    assertThat(x.toFloatArray()).containsExactly(1, 9, 2, 9, 3, 9);
    caller.call(SORT, x, x, 0, false);
    assertThat(x.toFloatArray()).containsExactly(9, 9, 9, 3, 2, 1);
  }

  @ParameterizedTest
  @EnumSource
  void tensorsOffTheBoundaryAndOnTheHeapAreSorted(Caller caller) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment memory = arena.allocate(64, 64);
      Tensor off = Tensor.wrap(memory.asSlice(4, 12), DType.FLOAT32, Shape.of(3));
      caller.call(SORT, floats(3, 1, 2), off, 0, true);
      assertThat(off.toFloatArray()).containsExactly(1, 2, 3);
      int[] heap = new int[3];
      Tensor indices = Tensor.wrap(MemorySegment.ofArray(heap), DType.INT32, Shape.of(3));
      caller.call(ARGSORT, off, indices, 0, false);
      assertThat(heap).containsExactly(2, 1, 0);
    }
  }

  @ParameterizedTest
  @EnumSource
  void nmsSortsAsManyAsItIsTold(Caller caller) {
    Tensor x =
        floats(1, 2, 3, 2, 4.5f, 3.5f, 1.1f, 0.5f, 1, 3.2f, -5, 0.5f, 1.5f, 0, 0)
            .reshape(Shape.of(1, 5, 3));
    Tensor counts = Tensor.of(new int[] {2, 3, -1}, Shape.of(1, 3));
    Tensor out = Tensor.zeros(DType.INT32, x.shape());
    caller.call(NMS, x, counts, out, 1, false);
    assertThat(out.toLongArray()).containsExactly(1, 1, 0, 0, 0, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4);
    caller.call(
        NMS,
        x,
        Tensor.of(new int[] {5}, Shape.of(1))
            .stridedView(Shape.of(1, 5), new long[] {0, 0}, 0)
            .slice(1, 0, 3),
        out,
        1,
        true);
    assertThat(out.toLongArray()).containsExactly(0, 3, 4, 2, 4, 3, 4, 2, 2, 1, 0, 0, 3, 1, 1);
  }

  @Test
  void wrongArgumentsAreRefused() {
    Tensor x = floats(1, 2, 3);
    Tensor out = Tensor.zeros(DType.INT32, Shape.of(3));
    fails(
        ErrorKind.VALUE,
        ARGSORT + ": argument #2 is axis 1: Axis out of boundary for input ndim 1",
        ARGSORT,
        x,
        out,
        1,
        true);
    fails(
        ErrorKind.VALUE,
        ARGSORT + ": argument #2 is axis -2: Axis out of boundary for input ndim 1",
        ARGSORT,
        x,
        out,
        -2,
        true);
    fails(
        ErrorKind.VALUE,
        ARGSORT + ": argument #1 must have shape [3], but has [2]",
        ARGSORT,
        x,
        Tensor.zeros(DType.INT32, Shape.of(2)),
        0,
        true);
    fails(
        ErrorKind.VALUE,
        "cannot give the result of a sort as float16\n"
            + "  expected: int32, int64, float32, float64, int8 or uint8",
        ARGSORT,
        x,
        Tensor.zeros(DType.FLOAT16, Shape.of(3)),
        0,
        true);
    fails(
        ErrorKind.VALUE,
        "cannot sort a tensor of bool\n  expected: float16, bfloat16, float32, float64, int8 to"
            + " int64 or uint8 to uint64",
        SORT,
        Tensor.zeros(DType.BOOL, Shape.of(3)),
        out,
        0,
        true);
    fails(
        ErrorKind.VALUE,
        SORT + ": argument #1 must be float32 as the input, but is int32",
        SORT,
        x,
        out,
        0,
        true);
    Tensor closed = floats(1, 2, 3);
    closed.close();
    fails(
        ErrorKind.VALUE,
        SORT + ": argument #0 is closed: it cannot be used any more",
        SORT,
        closed,
        floats(0, 0, 0),
        0,
        true);
    Tensor constant = floats(1, 2, 3);
    constant.markConstant();
    fails(
        ErrorKind.VALUE,
        SORT + ": argument #1 is written, but is a constant or in read-only memory",
        SORT,
        x,
        constant,
        0,
        true);
    fails(
        ErrorKind.VALUE,
        TOPK + ": argument #2 is k = 4, but axis 0 of shape [3] has no so many elements",
        TOPK,
        x,
        out,
        4,
        0,
        "indices",
        true);
    fails(
        ErrorKind.VALUE,
        "argument ret_type cannot be 'none'\n  expected: both, values or indices",
        TOPK,
        x,
        out,
        1,
        0,
        "none",
        true);
    fails(
        ErrorKind.TYPE,
        "tvm.contrib.sort.argsort(input, output,"
            + " axis, is_ascend) takes 4 arguments, but got 3",
        ARGSORT,
        x,
        out,
        0);
    fails(
        ErrorKind.TYPE,
        "tvm.contrib.sort.topk(input, values,"
            + " indices, k, axis, ret_type, is_ascend) takes 7 arguments, but got 6",
        TOPK,
        x,
        out,
        1,
        0,
        "both",
        true);
    fails(
        ErrorKind.VALUE,
        NMS + ": argument #1 must be int32 with one number for each of 1 lines, but is int32[0]",
        NMS,
        x,
        Tensor.zeros(DType.INT32, Shape.of(0)),
        out,
        0,
        true);
    fails(
        ErrorKind.VALUE,
        NMS + ": argument #1 asks for 4 elements of line 0, but a line has 3",
        NMS,
        x,
        Tensor.of(new int[] {4}, Shape.of(1)),
        out,
        0,
        true);
  }

  private static void fails(ErrorKind kind, String message, String name, Object... args) {
    for (Caller caller : Caller.values()) {
      assertThatThrownBy(() -> caller.call(name, args))
          .isInstanceOf(CallException.class)
          .hasMessageContaining(message)
          .extracting(e -> ((CallException) e).kind())
          .isEqualTo(kind);
    }
  }

  private static long[] argsort(Caller caller, Tensor x, DType dtype, int axis, boolean ascending) {
    Tensor out = Tensor.zeros(dtype, x.shape());
    assertThat(caller.call(ARGSORT, x, out, axis, ascending).isNull()).isTrue();
    return out.toLongArray();
  }

  private static float[] sort(Caller caller, Tensor x, int axis, boolean ascending) {
    Tensor out = Tensor.zeros(x.dtype(), x.shape());
    caller.call(SORT, x, out, axis, ascending);
    return out.toFloatArray();
  }

  private static Tensor floats(float... values) {
    return Tensor.of(values, Shape.of(values.length));
  }
}
