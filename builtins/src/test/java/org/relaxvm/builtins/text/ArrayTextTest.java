package org.relaxvm.builtins.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

class ArrayTextTest {
  @Test
  void integersAreAlignedToTheRight() {
    Tensor tensor = Tensor.of(new int[] {1, -20, 300, 4}, Shape.of(2, 2));
    assertThat(ArrayText.of(tensor)).isEqualTo("[[  1 -20]\n [300   4]]");
  }

  @Test
  void booleansAndUnsignedIntegersPrintAsSuch() {
    assertThat(ArrayText.of(Tensor.of(new boolean[] {true, false}, Shape.of(2))))
        .isEqualTo("[ True False]");
    Tensor bytes = Tensor.of(new long[] {-1}, Shape.of(1)).reinterpret(Shape.of(1), DType.UINT64);
    assertThat(ArrayText.of(bytes)).isEqualTo("[18446744073709551615]");
  }

  @Test
  void floatsHaveTheDigitsTheyNeed() {
    assertThat(floats(1, 2.5f, -0.125f)).isEqualTo("[ 1.     2.5   -0.125]");
    assertThat(floats(0.1f, 100)).isEqualTo("[  0.1 100. ]");
    assertThat(floats(1 / 3f)).isEqualTo("[0.33333334]");
    assertThat(floats(-0f, 0)).isEqualTo("[-0.  0.]");
    assertThat(ArrayText.of(Tensor.of(new double[] {0.1 + 0.2}, Shape.of(1)))).isEqualTo("[0.3]");
  }

  @Test
  void magnitudesFarApartAreScientific() {
    assertThat(floats(1, 1e-5f)).isEqualTo("[1.e+00 1.e-05]");
    assertThat(floats(1.5f, -2e9f)).isEqualTo("[ 1.5e+00 -2.0e+09]");
    assertThat(floats(0, 3e8f)).isEqualTo("[0.e+00 3.e+08]");
  }

  @Test
  void whatIsNoFiniteNumberIsNamed() {
    assertThat(floats(Float.NaN, 1.5f, Float.NEGATIVE_INFINITY, Float.POSITIVE_INFINITY))
        .isEqualTo("[ nan  1.5 -inf  inf]");
  }

  @Test
  void scalarsHaveNoBracketsAndEmptyTensorsNoElements() {
    assertThat(ArrayText.of(Tensor.scalar(7L))).isEqualTo("7");
    assertThat(ArrayText.of(Tensor.zeros(DType.FLOAT32, Shape.of(2, 0)))).isEqualTo("[]");
  }

  @Test
  void outerAxesAreSeparatedByBlankLines() {
    Tensor tensor = Tensor.of(new long[] {1, 2, 3, 4}, Shape.of(2, 1, 2));
    assertThat(ArrayText.of(tensor)).isEqualTo("[[[1 2]]\n\n [[3 4]]]");
  }

  @Test
  void ofManyElementsOnlyTheEdgesAreShown() {
    long[] values = new long[2000];
    for (int i = 0; i < values.length; i++) {
      values[i] = i == 1000 ? 1_000_000 : i % 10;
    }
    assertThat(ArrayText.of(Tensor.of(values, Shape.of(2000)))).isEqualTo("[0 1 2 ... 7 8 9]");
    assertThat(ArrayText.of(Tensor.of(values, Shape.of(500, 4))))
        .isEqualTo("[[0 1 2 3]\n [4 5 6 7]\n [8 9 0 1]\n ...\n [8 9 0 1]\n [2 3 4 5]\n [6 7 8 9]]");
  }

  private static String floats(float... values) {
    return ArrayText.of(Tensor.of(values, Shape.of(values.length)));
  }
}
