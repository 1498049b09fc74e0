package org.relaxvm.interoptvm.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.interoptvm.functions.RuntimeFunctions;

/** Calls of compiled code, and its calls of Java: vectors N2 to N5 of the native ABI. */
class NativeCallTest {
  @TempDir static Path folder;
  static Path file;
  static Imitation library;

  @BeforeAll
  static void compile() {
    file = Imitation.compile(folder, "calls.so");
    library = Imitation.open(file);
  }

  @AfterAll
  static void close() {
    if (library != null) {
      library.close();
    }
  }

  private static Tensor floats(float... values) {
    return Tensor.of(values, Shape.of(values.length));
  }

  @Test
  void tensorsAreReadAndWrittenWhereTheyLie() {
    Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(3));
    library.call("add", floats(1, 2, 3), floats(10, 20, 30), out);
    assertThat(out.toFloatArray()).containsExactly(11, 22, 33);
  }

  @Test
  void tensorsOffTheBoundaryOrWithStridesOrOnTheHeapAreCopiedAndBroughtBack() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(256, 64);
      Tensor off = Tensor.wrap(memory.asSlice(4, 12), DType.FLOAT32, Shape.of(3));
      library.call("add", floats(1, 2, 3), floats(10, 20, 30), off);
      assertThat(off.toFloatArray()).containsExactly(11, 22, 33);

      Tensor whole = Tensor.zeros(DType.FLOAT32, Shape.of(6));
      Tensor strided = whole.stridedView(Shape.of(3), new long[] {2}, 0);
      library.call("add", off, off, strided);
      assertThat(whole.toFloatArray()).containsExactly(22, 0, 44, 0, 66, 0);

      float[] array = new float[3];
      Tensor heap = Tensor.wrap(MemorySegment.ofArray(array), DType.FLOAT32, Shape.of(3));
      library.call("add", strided, strided, heap);
      assertThat(array).containsExactly(44, 88, 132);
      // The same elements twice stay the same elements.
      library.call("add", heap, floats(1, 1, 1), heap);
      assertThat(array).containsExactly(45, 89, 133);
    }
  }

  /** A copy that stands in for an input must not undo what went into memory that both share. */
  @Test
  void anOutputMayOverlapAnInputThatIsCopied() {
    float[] array = {1, 2, 3, 4};
    MemorySegment memory = MemorySegment.ofArray(array);
    Tensor in = Tensor.wrap(memory.asSlice(0, 12), DType.FLOAT32, Shape.of(3));
    Tensor out = Tensor.wrap(memory.asSlice(4, 12), DType.FLOAT32, Shape.of(3));
    library.call("add", in, in, out);
    assertThat(array).containsExactly(1, 2, 4, 6);

    Tensor whole = floats(1, 2, 3, 4, 5, 6);
    Tensor strided = whole.stridedView(Shape.of(3), new long[] {2}, 0);
    library.call("add", strided, strided, whole.slice(0, 0, 3));
    assertThat(whole.toFloatArray()).containsExactly(2, 6, 10, 4, 5, 6);
  }

  /** As Apache TVM passes them, so that compiled code checks them and finds the same errors. */
  @Test
  void compactTensorsHaveStrides() {
    assertThat(stridesOf(7)).containsExactly(1);
    assertThat(stridesOf(2, 3, 4)).containsExactly(12, 4, 1);
    assertThat(stridesOf(2, 3, 4, 5)).containsExactly(60, 20, 5, 1);
    assertThat(stridesOf(2, 3, 4, 5, 6)).containsExactly(360, 120, 30, 6, 1);
    assertThat(stridesOf(3, 0)).containsExactly(0, 1);
    assertThat(stridesOf(1, 1, 0, 2, 1)).containsExactly(0, 0, 2, 1, 1);
  }

  private static long[] stridesOf(long... extents) {
    Tensor out = Tensor.zeros(DType.INT64, Shape.of(extents.length));
    library.call("strides", Tensor.zeros(DType.INT8, Shape.of(extents)), out);
    return out.toLongArray();
  }

  @Test
  void constantsAreNotWritten() {
    float[] array = {1, 2, 3};
    Tensor constant =
        Tensor.wrap(MemorySegment.ofArray(array).asReadOnly(), DType.FLOAT32, Shape.of(3));
    Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(3));
    library.call("add", constant, constant, out);
    assertThat(out.toFloatArray()).containsExactly(2, 4, 6);
  }

  @Test
  void aTensorWithoutElementsIsPassed() {
    Tensor none = Tensor.zeros(DType.FLOAT32, Shape.of(0));
    assertThat(library.call("add", none, none, none).isNull()).isTrue();
  }

  @Test
  void errorsOfCompiledCodeAreThrownWithTheirKind() {
    assertThatThrownBy(() -> library.call("add", 1))
        .isInstanceOf(CallException.class)
        .hasMessage("Expected 3 arguments when calling add")
        .extracting(e -> ((CallException) e).kind())
        .isEqualTo(ErrorKind.TYPE);
    assertThatThrownBy(() -> library.call("raise"))
        .hasMessage("raised by name")
        .extracting(e -> ((CallException) e).kind())
        .isEqualTo(ErrorKind.INDEX);
    assertThatThrownBy(() -> library.call("silent"))
        .hasMessage("compiled code failed without saying why")
        .isInstanceOfSatisfying(
            CallException.class,
            e -> {
              assertThat(e.kind()).isEqualTo(ErrorKind.INTERNAL);
              assertThat(e.tvmMessage()).hasValue("unknown error");
              assertThat(e.isInternal()).isFalse();
            });
  }

  @Test
  void modulesInCppRaiseObjectsAndAskForTypes() {
    assertThatThrownBy(() -> library.call("raise_object"))
        .isInstanceOf(CallException.class)
        .hasMessage("raised as an object")
        .extracting(e -> ((CallException) e).kind())
        .isEqualTo(ErrorKind.INDEX);
    assertThat(library.call("type_info", 1).asString()).isEqualTo("int");
    assertThat(library.call("type_info", 12).asString()).isEqualTo("ffi.Sma");
    assertThat(library.call("type_info", 70).asString()).isEqualTo("ffi.Ten");
    assertThat(library.call("type_info", 12_345).asString()).isEqualTo("ffi.Obj");
    assertThat(library.call("type_ancestor", 70).asLong()).isEqualTo(64);
    assertThat(library.call("type_ancestor", 64).asLong()).isEqualTo(-1);
    assertThat(library.call("type_ancestor", 1).asLong()).isEqualTo(-1);
  }

  @Test
  void whatIsNoTensorIsRefusedAndNotRead() {
    Tensor good = floats(1, 2, 3);
    assertThatThrownBy(() -> library.call("add", good, good, Shape.of(3)))
        .hasMessage("Mismatched ndim: expected 1");
    assertThatThrownBy(() -> library.call("add", good, good, Imitation.twice()))
        .hasMessage("Mismatched ndim: expected 1");
    assertThatThrownBy(() -> library.call("add", good, good, 3))
        .hasMessage("Mismatched type on argument: expected Tensor");
  }

  @Test
  void everyKindOfValueHasItsCell() {
    assertThat(cellOf(-2)).containsExactly(1, -2);
    assertThat(cellOf(true)).containsExactly(2, 1);
    assertThat(cellOf(1.5)).containsExactly(3, Double.doubleToRawLongBits(1.5));
    assertThat(cellOf(null)).containsExactly(0, 0);
    assertThat(cellOf(DType.FLOAT32)).containsExactly(5, 0x12002);
    assertThat(cellOf(new DeviceId("cuda", 3))).containsExactly(6, 2 | 3L << 32);
    assertThat(cellOf(floats(1))[0]).isEqualTo(7);
    assertThat(cellOf("abc")[0]).isEqualTo(8);
    assertThat(cellOf(Shape.of(1))[0]).isEqualTo(69);
    assertThat(cellOf(Imitation.twice())[0]).isEqualTo(68);
    assertThat(cellOf(new byte[] {1})[0]).isEqualTo(66);
  }

  /**
   * Java gets a pointer of compiled code as a segment without bytes, and gives it back as it was.
   */
  @Test
  void pointersOfCompiledCodeGoThroughJava() {
    MemorySegment pointer = MemorySegment.ofAddress(0x1234_5678);
    assertThat(cellOf(pointer)).containsExactly(4, 0x1234_5678);
    PackedFunc same = (args, result) -> result.set(args.ref(0));
    assertThat(library.call("call_argument", same, pointer).object()).isEqualTo(pointer);
  }

  private static long[] cellOf(@Nullable Object value) {
    Tensor out = Tensor.zeros(DType.INT64, Shape.of(2));
    library.call("cell", value, out);
    return out.toLongArray();
  }

  @Test
  void textsAndNumbersComeAndGo() {
    assertThat(library.call("text", "AB").asLong()).isEqualTo('A' * 256 + 'B');
    assertThat(library.call("small_string").asString()).isEqualTo("abc");
    assertThat(library.call("half", 3.0).asDouble()).isEqualTo(1.5);
    assertThat(library.call("half", 3).asDouble()).isEqualTo(1.5);
    assertThatThrownBy(() -> library.call("text", "A\0B")).hasMessageContaining("character 0");
  }

  @Test
  void javaFunctionsAreCalledByNameAndAsArguments() {
    assertThat(library.call("call_by_name", 21).asLong()).isEqualTo(42);
    PackedFunc sum = (args, result) -> result.setLong(args.longAt(0) + args.longAt(1));
    assertThat(library.call("call_argument", sum, 20, 22).asLong()).isEqualTo(42);
    PackedFunc self = library.function("call_by_name");
    assertThat(library.call("call_argument", self, 4).asLong()).isEqualTo(8);
    assertThatThrownBy(() -> library.call("call_missing"))
        .hasMessageStartingWith(
            "compiled code needs the function 'test.nobody', which nothing provides\n");
  }

  @Test
  void whatJavaThrowsComesThroughCompiledCode() {
    IllegalStateException own = new IllegalStateException("own");
    PackedFunc throwing =
        (args, result) -> {
          throw own;
        };
    assertThatThrownBy(() -> library.call("call_argument", throwing)).isSameAs(own);
    PackedFunc deep = (args, result) -> result.setLong(depth(1));
    assertThatThrownBy(() -> library.call("call_argument", deep))
        .isInstanceOf(StackOverflowError.class);
    assertThat(library.call("call_by_name", 1).asLong()).isEqualTo(2);
  }

  private static long depth(long above) {
    return above < 0 ? 0 : depth(above + 1) + 1;
  }

  @Test
  void tensorsOfCompiledCodeAreViews() {
    PackedFunc sum =
        (args, result) -> {
          assertThat(args.tensorAt(0).toFloatArray()).containsExactly(3, 2, 1);
          assertThat(args.stringAt(1)).isEqualTo("text");
          args.tensorAt(0).fill(7);
          result.setLong(5);
        };
    try (Imitation own = Imitation.open(file, Map.of("test.tensor", sum))) {
      Tensor tensor = floats(1, 2, 3);
      assertThat(own.call("call_with_tensor", tensor).asLong()).isEqualTo(5);
      assertThat(tensor.toFloatArray()).containsExactly(7, 7, 7);
    }
  }

  @Test
  void aTensorOfCompiledCodeWithoutDataIsRefused() {
    PackedFunc sum = (args, result) -> result.setLong(args.tensorAt(0).toFloatArray().length);
    try (Imitation own = Imitation.open(file, Map.of("test.tensor", sum))) {
      assertThatThrownBy(() -> own.call("call_with_tensor", floats(1, 2, 3), 0))
          .isInstanceOf(CallException.class)
          .hasMessage("compiled code passed a tensor of shape [3] whose data is NULL");
    }
  }

  @Test
  void functionsOfTheRuntimeWorkOnTensorsOfCompiledCode() {
    PackedFunc sort = new RuntimeFunctions().find("tvm.contrib.sort.sort").orElseThrow();
    PackedFunc inPlace =
        (args, result) -> {
          Tensor backwards = args.tensorAt(0);
          sort.call(
              CallArgs.of(args.contextOrNull(), new Object[] {backwards, backwards, 0, true}),
              result);
        };
    try (Imitation own = Imitation.open(file, Map.of("test.tensor", inPlace))) {
      Tensor tensor = floats(2, 3, 1);
      own.call("call_with_tensor", tensor);
      assertThat(tensor.toFloatArray()).containsExactly(3, 2, 1);
    }
  }

  @Test
  void temporaryMemoryIsAlignedReusedAndReclaimed() {
    for (long bytes : new long[] {0, 1, 4095, 4096, 4097, 1 << 20, 100}) {
      assertThat(library.call("workspace", bytes).asLong()).isEqualTo(1);
    }
    for (int i = 0; i < 2000; i++) {
      // 2 GB if each of them stayed.
      assertThatThrownBy(() -> library.call("workspace_leak")).hasMessage("left memory behind");
    }
    assertThatThrownBy(() -> library.call("workspace", -1))
        .hasMessageContaining("18446744073709551615 bytes");
    assertThatThrownBy(() -> library.call("workspace_wrong_free"))
        .hasMessage("compiled code frees temporary memory that it did not allocate");
    assertThatThrownBy(() -> library.call("workspace_elsewhere")).hasMessageContaining("vulkan");
  }
}
