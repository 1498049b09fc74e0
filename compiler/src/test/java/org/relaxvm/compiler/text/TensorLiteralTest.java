package org.relaxvm.compiler.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.InvalidProgramException;

class TensorLiteralTest {
  @Test
  void listsAreAxes() {
    Tensor matrix = TensorLiteral.parse("[[1, 2],[3,4] , [5 ,6]]", DType.INT64);
    assertThat(matrix.shape()).isEqualTo(Shape.of(3, 2));
    assertThat(matrix.dtype()).isEqualTo(DType.INT64);
    assertThat(matrix.toLongArray()).containsExactly(1, 2, 3, 4, 5, 6);
    Tensor scalar = TensorLiteral.parse("-1.5", DType.FLOAT32);
    assertThat(scalar.shape()).isEqualTo(Shape.scalar());
    assertThat(scalar.toFloatArray()).containsExactly(-1.5f);
    assertThat(TensorLiteral.parse("[]", DType.INT64).shape()).isEqualTo(Shape.of(0));
    assertThat(TensorLiteral.parse("[[], []]", DType.INT64).shape()).isEqualTo(Shape.of(2, 0));
    assertThat(TensorLiteral.parse("[true, false]", DType.BOOL).toLongArray())
        .containsExactly(1, 0);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          [[1], [2, 3]] | lists differ in length
          [1, [2]]      | lists are nested to different depths
          [[1], 2]      | lists are nested to different depths
          [1, 2         | ']' is missing at position 5
          [1, 2] 3      | unexpected '3' at position 7
          [1, ]         | an element is missing at position 4
          [1.5]         | '1.5' is no int32
          3000000000    | '3000000000' is no int32
          """)
  void whatIsNoTensorIsRefused(String text, String problem) {
    assertThatThrownBy(() -> TensorLiteral.parse(text, DType.INT32))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "malformed tensor: "
                + problem
                + "\n  expected: a number, true, false, or lists of these, such as"
                + " [[1, 2], [3, 4]], of int32\n  got: "
                + text);
  }

  @Test
  void deepListsAreRefused() {
    assertThatThrownBy(() -> TensorLiteral.parse("[".repeat(100_000), DType.INT32))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessageStartingWith("malformed tensor: lists are nested deeper than 16\n");
  }
}
