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
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.parallel.WorkerPool;

/** The calling convention of Apache TVM 0.20 and older, in both directions. */
@Timeout(60)
class OldCallTest {
  private static final int TENSOR_POINTER = 7;
  private static final int WORKERS = WorkerPool.shared().parallelism();

  @TempDir static Path folder;
  static Path file;
  static Imitation library;

  @BeforeAll
  static void compile() {
    file = Imitation.compileOld(folder, "old.so");
    library = Imitation.openOld(file);
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
    assertThat(library.call("add", floats(1, 2, 3), floats(10, 20, 30), out).isNull()).isTrue();
    assertThat(out.toFloatArray()).containsExactly(11, 22, 33);
  }

  @Test
  void booleansAreUnsignedIntegersOfOneBit() {
    Tensor in = Tensor.of(new boolean[] {true, false, true}, Shape.of(3));
    Tensor out = Tensor.zeros(DType.BOOL, Shape.of(3));
    library.call("invert", in, out);
    assertThat(out.toLongArray()).containsExactly(0, 1, 0);
    assertThat(in.dtype()).isEqualTo(DType.BOOL);
  }

  @Test
  void tensorsThatCompiledCodeCannotReachAreCopied() {
    try (Arena arena = Arena.ofConfined()) {
      Tensor off = Tensor.wrap(arena.allocate(256, 64).asSlice(4, 12), DType.FLOAT32, Shape.of(3));
      library.call("add", floats(1, 2, 3), floats(10, 20, 30), off);
      assertThat(off.toFloatArray()).containsExactly(11, 22, 33);
    }
    float[] array = new float[3];
    Tensor heap = Tensor.wrap(MemorySegment.ofArray(array), DType.FLOAT32, Shape.of(3));
    library.call("add", floats(1, 2, 3), floats(10, 20, 30), heap);
    assertThat(array).containsExactly(11, 22, 33);
  }

  @Test
  void aFunctionOfThreeParametersIsCalled() {
    Tensor tensor = floats(1, 2, 3);
    library.call("scale", tensor, 2.0);
    assertThat(tensor.toFloatArray()).containsExactly(2, 4, 6);
  }

  @Test
  void everyKindOfArgumentHasItsTypeCode() {
    assertThat(valueOf(-2)).containsExactly(0, -2);
    assertThat(valueOf(true)).containsExactly(0, 1);
    assertThat(valueOf(1.5)).containsExactly(2, Double.doubleToRawLongBits(1.5));
    assertThat(valueOf(MemorySegment.ofAddress(0x1234_5678))).containsExactly(3, 0x1234_5678);
    assertThat(valueOf(null)).containsExactly(4, 0);
    assertThat(valueOf(DType.FLOAT32)).containsExactly(5, 0x12002);
    assertThat(valueOf(new DeviceId("cuda", 3))).containsExactly(6, 2 | 3L << 32);
    assertThat(valueOf(floats(1))[0]).isEqualTo(TENSOR_POINTER);
    assertThat(valueOf(Shape.of(1))[0]).isEqualTo(8);
    assertThat(valueOf(Imitation.twice())[0]).isEqualTo(10);
    assertThat(valueOf("abc")[0]).isEqualTo(11);
    assertThat(valueOf(new byte[] {1})[0]).isEqualTo(12);
  }

  private static long[] valueOf(@Nullable Object value) {
    Tensor out = Tensor.zeros(DType.INT64, Shape.of(2));
    library.call("value", value, out);
    return out.toLongArray();
  }

  @Test
  void stringsAndBytesArePassed() {
    assertThat(library.call("text", "AB").asLong()).isEqualTo('A' * 256 + 'B');
    assertThat(library.call("text", "").asLong()).isZero();
    assertThat(library.call("text", new byte[] {1, 0, 2}).asLong()).isEqualTo(0x10002);
  }

  @Test
  void everyKindOfResultIsTaken() {
    assertThat(library.call("results", 0).asLong()).isEqualTo(-7);
    assertThat(library.call("results", 1).asLong()).isEqualTo(-7);
    assertThat(library.call("results", 2).asDouble()).isEqualTo(2.5);
    assertThat(library.call("results", 3).object()).isEqualTo(MemorySegment.ofAddress(0x1234_5678));
    assertThat(library.call("results", 4).isNull()).isTrue();
    assertThat(library.call("results", 5).object()).isEqualTo(DType.FLOAT32);
    assertThat(library.call("results", 6).object()).isEqualTo(new DeviceId("cpu", 3));
    assertThat(library.call("results", TENSOR_POINTER).asTensor().toFloatArray())
        .containsExactly(1, 2);
    assertThat(library.call("results", 11).asString()).isEqualTo("a string");
    assertThat((byte[]) library.call("results", 12).object())
        .containsExactly('b', 'y', 0, 't', 'e', 's');
    assertThat(library.call("results", 13).asTensor().toFloatArray()).containsExactly(1, 2);
    assertThat(library.call("results", 15).asBoolean()).isTrue();
  }

  @Test
  void objectsThatCompiledCodeMadeAreRejected() {
    for (int code : new int[] {8, 9, 10}) {
      assertThatThrownBy(() -> library.call("results", code))
          .isInstanceOf(CallException.class)
          .hasMessage(
              "compiled code returned an object of type code "
                  + code
                  + " that it made itself; RelaxVM takes scalars, strings, bytes and tensors from"
                  + " it, and the objects that it was given");
    }
    assertThatThrownBy(() -> library.call("results", 99))
        .hasMessage("compiled code passed a value of the unknown type code 99");
    PackedFunc unused = (args, result) -> result.setNull();
    assertThatThrownBy(() -> library.call("call_with", unused, 8))
        .hasMessageStartingWith("compiled code passed an object of type 64 that it made itself");
    assertThatThrownBy(() -> library.call("call_with", unused, 77))
        .hasMessage("compiled code passed a value of the unknown type code 77");
  }

  @Test
  void objectsComeBackAsTheyWere() {
    Tensor tensor = floats(1, 2);
    PackedFunc function = Imitation.twice();
    assertThat(library.call("same", tensor).asTensor().toFloatArray()).containsExactly(1, 2);
    assertThat(library.call("same", function).object()).isSameAs(function);
    assertThat(library.call("same", Shape.of(3, 4)).object()).isEqualTo(Shape.of(3, 4));
    assertThat(library.call("same", "text").asString()).isEqualTo("text");
    assertThat((byte[]) library.call("same", new byte[] {1, 2}).object()).containsExactly(1, 2);
  }

  @Test
  void errorsOfCompiledCodeAreThrown() {
    assertThatThrownBy(() -> library.call("add", 1))
        .isInstanceOf(CallException.class)
        .hasMessage("Assert fail: num_args == 3, add: num_args should be 3")
        .extracting(e -> ((CallException) e).kind())
        .isEqualTo(ErrorKind.RUNTIME);
    assertThatThrownBy(() -> library.call("add", 1, 2, 3))
        .hasMessage("add: expected a tensor")
        .isInstanceOfSatisfying(
            CallException.class,
            e -> {
              assertThat(e.kind()).isEqualTo(ErrorKind.TYPE);
              assertThat(e.tvmMessage()).hasValue("TypeError: add: expected a tensor");
            });
    assertThatThrownBy(() -> library.call("silent"))
        .hasMessage("compiled code failed without saying why");
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
  void javaFunctionsGetEveryKindOfArgument() {
    PackedFunc all =
        (args, result) -> {
          assertThat(args.tensorAt(0).toFloatArray()).containsExactly(3, 2, 1);
          assertThat(args.tensorAt(1).toFloatArray()).containsExactly(3, 2, 1);
          assertThat(args.stringAt(2)).isEqualTo("text");
          assertThat(args.longAt(3)).isEqualTo(-3);
          assertThat(args.doubleAt(4)).isEqualTo(0.5);
          assertThat(args.ref(5)).isEqualTo(DType.FLOAT32);
          assertThat(args.ref(6)).isEqualTo(new DeviceId("cpu", 0));
          assertThat((byte[]) args.ref(7)).containsExactly(1, 2);
          assertThat(args.ref(8)).isNull();
          args.tensorAt(0).fill(7);
          result.setDouble(0.25);
        };
    Tensor tensor = floats(1, 2, 3);
    assertThat(library.call("call_with_all", all, tensor).asDouble()).isEqualTo(0.25);
    assertThat(tensor.toFloatArray()).containsExactly(7, 7, 7);
  }

  @Test
  void resultsOfJavaFunctionsAreUsed() {
    PackedFunc string = (args, result) -> result.set("AB");
    PackedFunc bytes = (args, result) -> result.set(new byte[] {1, 2});
    assertThat(library.call("string_of_call", string).asLong()).isEqualTo('A' * 256 + 'B');
    assertThat(library.call("string_of_call", bytes).asLong()).isEqualTo(0x102);
    PackedFunc tensor = (args, result) -> result.set(floats(1, 2, 3));
    Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(3));
    library.call("add_result", tensor, out);
    assertThat(out.toFloatArray()).containsExactly(2, 4, 6);
    try (Value made = library.call("call_argument", tensor)) {
      assertThat(made.asTensor().toFloatArray()).containsExactly(1, 2, 3);
    }
  }

  @Test
  void whatJavaThrowsComesThroughCompiledCode() {
    IllegalStateException own = new IllegalStateException("own");
    PackedFunc throwing =
        (args, result) -> {
          throw own;
        };
    assertThatThrownBy(() -> library.call("call_argument", throwing)).isSameAs(own);
    assertThat(library.call("call_by_name", 1).asLong()).isEqualTo(2);
  }

  @Test
  void temporaryMemoryIsAlignedAndReclaimed() {
    for (long bytes : new long[] {0, 1, 4096, 4097, 1 << 20, 100}) {
      assertThat(library.call("workspace", bytes).asLong()).isEqualTo(1);
    }
    assertThatThrownBy(() -> library.call("workspace", -1))
        .hasMessageContaining("18446744073709551615 bytes");
  }

  @Test
  void parallelTasksMeetAndCallJava() {
    long sum = WORKERS * (WORKERS + 1L) / 2;
    assertThat(library.call("parallel", 0, -1, 0).asLong()).isEqualTo(sum);
    assertThat(library.call("parallel", 0, -1, 1).asLong()).isEqualTo(2 * sum);
    assertThatThrownBy(() -> library.call("parallel", 0, 0, 0))
        .hasMessage("Task 0 error: task is bad");
  }

  @Test
  void eachBindingHasItsOwnFunctions() {
    PackedFunc tenfold = (args, result) -> result.setLong(10 * args.longAt(0));
    try (Imitation other = Imitation.openOld(file, Map.of("test.twice", tenfold))) {
      assertThat(library.call("call_by_name", 4).asLong()).isEqualTo(8);
      assertThat(other.call("call_by_name", 4).asLong()).isEqualTo(40);
      assertThat(library.call("call_by_name", 4).asLong()).isEqualTo(8);
    }
  }

  @Test
  void aFunctionThatIsRegisteredAtLoadTimeIsCalled() {
    Path registering = Imitation.compileOld(folder, "registers.so", "-DTVM_TEST_REGISTERS");
    try (Imitation own = Imitation.openOld(registering)) {
      assertThat(own.call("announcement").asLong()).isZero();
      assertThat(own.call("announced").asLong()).isEqualTo(99);
      assertThat(own.library().functionNames()).contains("announced", "add");
      assertThatThrownBy(() -> own.call("announce_late"))
          .hasMessage(
              "compiled code registers the function 'late' after its library was loaded; only"
                  + " constructors of a library can");
    }
    try (Imitation again = Imitation.openOld(registering)) {
      assertThat(again.call("announced").asLong()).isEqualTo(99);
    }
  }
}
