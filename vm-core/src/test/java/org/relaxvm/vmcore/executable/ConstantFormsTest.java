package org.relaxvm.vmcore.executable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;

/** Every kind of constant goes to a file and comes back. */
class ConstantFormsTest {
  private static Executable pool(Object... constants) {
    return new Executable(List.of(), List.of(constants), Map.of(), new long[0], new long[0]);
  }

  private static Executable again(Executable executable) {
    return ExecutableReader.read(ExecutableWriter.write(executable));
  }

  @Test
  void valuesSurvive() {
    List<Object> values =
        List.of(
            Shape.of(),
            Shape.of(0, -1, Long.MAX_VALUE),
            "",
            "seven b",
            "eight by",
            "größe 数 🙂",
            "quote \" and \n",
            Long.MIN_VALUE,
            3L,
            Double.NaN,
            -0.0,
            DType.VOID,
            DType.parse("float8_e4m3fn"),
            DType.parse("int8x4"),
            DType.parse("handle"));
    assertThat(again(pool(values.toArray())).constants()).isEqualTo(values);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "int8",
        "int16",
        "int32",
        "int64",
        "uint8",
        "uint64",
        "float16",
        "float32",
        "float64",
        "bfloat16",
        "bool",
        "float8_e3m4",
        "float8_e4m3",
        "float8_e5m2",
        "float8_e8m0fnu",
        "complex64"
      })
  void tensorsOfEveryFamilySurvive(String name) {
    DType dtype = DType.parse(name);
    for (Shape shape : List.of(Shape.scalar(), Shape.of(2, 3), Shape.of(0, 5))) {
      Tensor tensor = Tensor.zeros(dtype, shape);
      for (long i = 0; i < tensor.byteSize(); i++) {
        tensor.segment().set(ValueLayout.JAVA_BYTE, i, (byte) (i + 1));
      }
      Tensor read = (Tensor) again(pool(tensor)).constants().getFirst();
      assertThat(read.dtype()).isEqualTo(dtype);
      assertThat(read.shape()).isEqualTo(shape);
      assertThat(read.segment().mismatch(tensor.segment())).isEqualTo(-1);
    }
  }

  @Test
  void stridedTensorIsCompacted() {
    Tensor transposed = Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, Shape.of(2, 3)).permute(1, 0);
    Tensor read = (Tensor) again(pool(transposed)).constants().getFirst();
    assertThat(read.shape()).isEqualTo(Shape.of(3, 2));
    assertThat(read.toFloatArray()).containsExactly(1, 4, 2, 5, 3, 6);
  }

  @Test
  void booleanCannotBeSaved() {
    assertThatThrownBy(() -> ExecutableWriter.write(pool(true)))
        .isInstanceOfSatisfying(
            InvalidProgramException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INTERNAL))
        .hasMessage(
            "a constant cannot be a boolean\n"
                + "  expected: a tensor, shape, string, 64-bit integer, 64-bit float or "
                + "data type\n"
                + "  what to do: convert it with ExecBuilder.convertConstant, which "
                + "makes a boolean the integer 0 or 1");
  }

  @Test
  void tensorWithLanesOrPackedElementsCannotBeSaved() {
    assertThatThrownBy(
            () -> ExecutableWriter.write(pool(Tensor.zeros(DType.parse("float32x4"), Shape.of(2)))))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "a tensor float32x4[2] cannot be saved: the format stores whole bytes per element and"
                + " no lanes");
    assertThatThrownBy(
            () -> ExecutableWriter.write(pool(Tensor.zeros(DType.parse("int4"), Shape.of(4)))))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "a tensor int4[4] cannot be saved: the format stores whole bytes per element and no"
                + " lanes");
  }

  @Test
  void halfASurrogatePairCannotBeSaved() {
    assertThatThrownBy(() -> ExecutableWriter.write(pool("a\uD800")))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage("the string \"a\uD800\" has half of a surrogate pair and so no UTF-8 form");
  }
}
