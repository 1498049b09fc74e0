package org.relaxvm.backendcpu.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.tir.PrimFunc;

/** What generated code says about arguments and numbers that are wrong, word by word. */
class GeneratedKernelErrorsTest {
  private static final PrimFunc ADD =
      GeneratedKernels.kernel(
          """
          @T.prim_func(private=True)
          def add(A: T.Buffer((n, 3), "float32"), B: T.Buffer((n,), "float32"), C: T.Buffer((n, 3), "float32")):
              n = T.int64()
              for i, j in T.grid(n, 3):
                  C[i, j] = A[i, j] + B[i]
          """);

  private static final PrimFunc GATHER =
      GeneratedKernels.kernel(
          """
          @T.prim_func(private=True)
          def gather(A: T.Buffer((n,), "float32"), P: T.Buffer((m,), "int64"), C: T.Buffer((m,), "float32")):
              n = T.int64()
              m = T.int64()
              for i in range(m):
                  C[i] = A[P[i]]
          """);

  private static final PrimFunc SCATTER =
      GeneratedKernels.kernel(
          """
          @T.prim_func(private=True)
          def scatter(P: T.Buffer((m,), "int32"), C: T.Buffer((n, 2), "float32")):
              n = T.int64()
              m = T.int64()
              for i in range(m):
                  C[T.Cast("int64", P[i]), 1] = T.float32(1)
          """);

  private static PrimFunc scalar(String dtype) {
    return GeneratedKernels.kernel(
        """
        @T.prim_func(private=True)
        def scale(k: T.DTYPE, C: T.Buffer((), "DTYPE")):
            C[()] = k
        """
            .replace("DTYPE", dtype));
  }

  private static Tensor floats(long... shape) {
    return Tensor.zeros(DType.FLOAT32, Shape.of(shape));
  }

  /** All ways of compiling say the same. */
  private static String message(PrimFunc kernel, Object... args) {
    String said = "";
    for (var function : GeneratedKernels.compiledInAllWays(kernel, name -> Optional.empty())) {
      RelaxException error =
          catchThrowableOfType(
              RelaxException.class, () -> GeneratedKernels.call(function, null, List.of(args)));
      assertThat(error).as("the error of %s", kernel.name()).isNotNull();
      String message = error.kind() + ": " + error.getMessage();
      assertThat(said).isIn("", message);
      said = message;
    }
    return said;
  }

  @Test
  void argumentsThatDoNotFitTheParameters() {
    assertThat(message(ADD, floats(2, 3), floats(2)))
        .isEqualTo(
            "ValueError: expected 3 arguments for the parameters [A, B, C], but got 2\n"
                + "  at kernel add");
    assertThat(message(ADD, floats(2, 3), 1L, floats(2, 3)))
        .isEqualTo(
            "TypeError: the parameter B: expected a tensor of float32 with 1 axis, but got int\n"
                + "  at kernel add");
    assertThat(message(ADD, floats(2, 3), Tensor.of(new double[2], Shape.of(2)), floats(2, 3)))
        .isEqualTo(
            "TypeError: the parameter B: expected elements of float32, but got float64\n"
                + "  at kernel add");
    assertThat(message(ADD, floats(2, 3), floats(2, 1), floats(2, 3)))
        .isEqualTo(
            "ValueError: the parameter B: expected 1 axis, but got 2, of the shape [2, 1]\n"
                + "  at kernel add");
  }

  @Test
  void extentsThatDiffer() {
    assertThat(message(ADD, floats(2, 4), floats(2), floats(2, 3)))
        .isEqualTo(
            "ValueError: the parameter A: expected the extent of axis 1 to be 3, but got 4\n"
                + "  at kernel add");
    assertThat(message(ADD, floats(2, 3), floats(3), floats(2, 3)))
        .isEqualTo(
            "ValueError: the parameter B: expected the extent of axis 0 to be 2 (n), but got 3\n"
                + "  at kernel add");
  }

  @Test
  void tensorsThatCannotBeUsed() {
    Tensor closed = floats(2);
    closed.close();
    assertThat(message(ADD, floats(2, 3), closed, floats(2, 3)))
        .isEqualTo(
            "ValueError: the parameter B: expected a tensor that can be used,"
                + " but got one that is closed\n  at kernel add");
    Tensor constant = floats(2, 3);
    constant.markConstant();
    assertThat(message(ADD, constant, floats(2), constant))
        .isEqualTo(
            "ValueError: the parameter C: expected a tensor that can be written,"
                + " but got a constant\n  at kernel add");
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment memory = arena.allocate(24, 64).asReadOnly();
      Tensor readOnly = Tensor.wrap(memory, DType.FLOAT32, Shape.of(2, 3));
      assertThat(message(ADD, floats(2, 3), floats(2), readOnly))
          .isEqualTo(
              "ValueError: the parameter C: expected a tensor that can be written,"
                  + " but got read-only memory\n  at kernel add");
    }
  }

  @Test
  void stridesAndOffsetsThatDiffer() {
    PrimFunc strided =
        GeneratedKernels.kernel(
            """
            @T.prim_func(private=True)
            def strided(A: T.Buffer((n, 2), "float32", strides=(s, 3), elem_offset=o), C: T.Buffer((n,), "float32", strides=(s,), elem_offset=o)):
                n = T.int64()
                s = T.int64()
                o = T.int64()
                for i in range(n):
                    C[i] = A[i, 1]
            """);
    Tensor all = floats(100);
    Tensor rows = all.stridedView(Shape.of(4, 2), new long[] {7, 3}, 5);
    assertThat(message(strided, rows, all.stridedView(Shape.of(4), new long[] {6}, 5)))
        .isEqualTo(
            "ValueError: the parameter C: expected the stride of axis 0 to be 7 (s), but got 6\n"
                + "  at kernel strided");
    assertThat(message(strided, rows, all.stridedView(Shape.of(4), new long[] {7}, 6)))
        .isEqualTo(
            "ValueError: the parameter C: expected the offset to be 5 (o), but got 6\n"
                + "  at kernel strided");
    Tensor other = all.stridedView(Shape.of(4, 2), new long[] {7, 2}, 5);
    assertThat(message(strided, other, all.stridedView(Shape.of(4), new long[] {7}, 5)))
        .isEqualTo(
            "ValueError: the parameter A: expected the stride of axis 1 to be 3, but got 2\n"
                + "  at kernel strided");
  }

  @Test
  void scalarsOutOfRange() {
    assertThat(message(scalar("int8"), 128L, Tensor.zeros(DType.INT8, Shape.scalar())))
        .isEqualTo(
            "ValueError: the parameter k: expected a value in the range of int8, but got 128\n"
                + "  at kernel scale");
    assertThat(message(scalar("uint16"), -1L, Tensor.zeros(DType.UINT16, Shape.scalar())))
        .isEqualTo(
            "ValueError: the parameter k: expected a value in the range of uint16, but got -1\n"
                + "  at kernel scale");
    assertThat(message(scalar("int32"), 1.5, Tensor.zeros(DType.INT32, Shape.scalar())))
        .isEqualTo(
            "TypeError: argument #0 must be an integer, but is a floating-point number\n"
                + "  at kernel scale");
    assertThat(message(scalar("float32"), floats(), floats()))
        .isEqualTo(
            "TypeError: argument #0 must be a floating-point number, but is a tensor\n"
                + "  at kernel scale");
  }

  @Test
  void indicesFromDataOutsideOfABuffer() {
    Tensor places = Tensor.of(new long[] {1, 4, 0}, Shape.of(3));
    assertThat(message(GATHER, floats(4), places, floats(3)))
        .isEqualTo(
            "IndexError: a read of the buffer A: axis 0: the index 4 is outside of its extent 4\n"
                + "  at kernel gather");
    Tensor rows = Tensor.of(new int[] {0, -1}, Shape.of(2));
    assertThat(message(SCATTER, rows, floats(4, 2)))
        .isEqualTo(
            "IndexError: a write of the buffer C: axis 0: the index -1 is outside of its extent 4\n"
                + "  at kernel scatter");
  }

  @Test
  void divisionByZero() {
    for (String dtype : List.of("int8", "uint32", "int32", "int64")) {
      for (String operator : List.of("//", "%", "/")) {
        PrimFunc divide =
            GeneratedKernels.kernel(
                """
                @T.prim_func(private=True)
                def divide(A: T.Buffer((n,), "DTYPE"), B: T.Buffer((n,), "DTYPE"), C: T.Buffer((n,), "DTYPE")):
                    n = T.int64()
                    for i in range(n):
                        C[i] = A[i] OP B[i]
                """
                    .replace("DTYPE", dtype)
                    .replace("OP", operator));
        Tensor zeros = Tensor.zeros(DType.parse(dtype), Shape.of(40));
        assertThat(message(divide, zeros, zeros, Tensor.zeros(zeros.dtype(), Shape.of(40))))
            .isEqualTo("ValueError: an integer is divided by 0\n  at kernel divide");
      }
    }
  }

  @Test
  void functionThatIsNotThere() {
    PrimFunc calls =
        GeneratedKernels.kernel(
            """
            @T.prim_func(private=True)
            def trace(A: T.Buffer((4,), "float32")):
                T.call_packed("relaxvm.no_such", A)
            """);
    assertThatThrownBy(() -> GeneratedKernels.compile(calls))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "the kernel trace calls the function relaxvm.no_such, which the device does not have");
  }
}
