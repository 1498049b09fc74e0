package org.relaxvm.backendsupport.gpu.vendorgemm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.tir.analysis.EpilogueFunction;

/** What tensors are to libraries that multiply matrices. */
class FactorsTest {
  private static Shape shape(String text) {
    return Shape.of(Arrays.stream(text.split(" ", -1)).mapToLong(Long::parseLong).toArray());
  }

  private static Optional<Gemm> gemm(
      String a, boolean transposedA, String b, boolean transposedB, String out) {
    try (Tensor left = Tensor.zeros(DType.FLOAT32, shape(a));
        Tensor right = Tensor.zeros(DType.FLOAT32, shape(b));
        Tensor result = Tensor.zeros(DType.FLOAT32, shape(out))) {
      return new Factors(left, transposedA, right, transposedB, null, EpilogueFunction.NONE, result)
          .gemm();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "2 3, false, 3 4, false, 2 4, 2, 4, 3, 1, 0, 0",
    "3 2, true, 4 3, true, 2 4, 2, 4, 3, 1, 0, 0",
    // All lines of a batch meet one matrix.
    "5 2 3, false, 3 4, false, 5 2 4, 10, 4, 3, 1, 0, 0",
    "6 5 2 3, false, 1 1 4 3, true, 6 5 2 4, 60, 4, 3, 1, 0, 0",
    "5 3 2, true, 3 4, false, 5 2 4, 2, 4, 3, 5, 6, 0",
    "2 3, false, 5 3 4, false, 5 2 4, 2, 4, 3, 5, 0, 12",
    "5 7 2 3, false, 5 7 3 4, false, 5 7 2 4, 2, 4, 3, 35, 6, 12",
  })
  void theyAreGemms(
      String a,
      boolean transposedA,
      String b,
      boolean transposedB,
      String out,
      long m,
      long n,
      long k,
      long batch,
      long stepA,
      long stepB) {
    assertThat(gemm(a, transposedA, b, transposedB, out))
        .contains(new Gemm(DType.FLOAT32, transposedA, transposedB, m, n, k, batch, stepA, stepB));
  }

  @ParameterizedTest
  @CsvSource({
    "2 3, 4 3, 2 4",
    "2 3, 3 4, 4 2",
    "2 3, 3 4, 1 2 4",
    "1 2 3, 1 3 4, 5 2 4",
    "5 2 3, 7 3 4, 5 2 4",
    "3, 3 4, 4",
    "2 1 2 3, 1 5 3 4, 2 5 2 4",
    "2 1 2 3, 2 5 3 4, 2 5 2 4",
  })
  void theyAreNone(String a, String b, String out) {
    assertThat(gemm(a, false, b, false, out)).isEmpty();
  }

  private static Optional<Gemm> plain(Tensor a, Tensor b, Tensor out) {
    return withEpilogue(a, b, null, out);
  }

  private static Optional<Gemm> withEpilogue(
      Tensor a, Tensor b, @Nullable Tensor bias, Tensor out) {
    return new Factors(a, false, b, false, bias, EpilogueFunction.RELU, out).gemm();
  }

  @ParameterizedTest
  @CsvSource({"4, true", "1 4, true", "1 1 4, true", "1, false", "2 4, false", "4 1, false"})
  void aBiasLiesAlongTheColumns(String bias, boolean is) {
    try (Tensor a = Tensor.zeros(DType.FLOAT32, Shape.of(5, 2, 3));
        Tensor b = Tensor.zeros(DType.FLOAT32, Shape.of(3, 4));
        Tensor given = Tensor.zeros(DType.FLOAT32, shape(bias));
        Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(5, 2, 4))) {
      Gemm all = new Gemm(DType.FLOAT32, false, false, 10, 4, 3, 1, 0, 0);
      assertThat(withEpilogue(a, b, given, out))
          .isEqualTo(is ? Optional.of(all.with(true, EpilogueFunction.RELU)) : Optional.empty());
      assertThat(plain(a, b, out)).contains(all.with(false, EpilogueFunction.RELU));
    }
  }

  @Test
  void aBiasLiesApartFromTheResultAndHasItsDType() {
    try (Tensor a = Tensor.zeros(DType.FLOAT32, Shape.of(2, 3));
        Tensor b = Tensor.zeros(DType.FLOAT32, Shape.of(3, 4));
        Tensor all = Tensor.zeros(DType.FLOAT32, Shape.of(3, 4));
        Tensor out = all.slice(0, 0, 2);
        Tensor last = all.slice(0, 2, 3);
        Tensor first = all.slice(0, 0, 1);
        Tensor wide = Tensor.zeros(DType.FLOAT64, Shape.of(4))) {
      assertThat(withEpilogue(a, b, last, out)).isPresent();
      assertThat(withEpilogue(a, b, first, out)).isEmpty();
      assertThat(withEpilogue(a, b, wide, out)).isEmpty();
    }
  }

  @Test
  void aResultLiesApartFromItsOperandsRowByRow() {
    try (Tensor all = Tensor.zeros(DType.FLOAT32, Shape.of(3, 2, 2));
        Tensor first = all.slice(0, 0, 1);
        Tensor second = all.slice(0, 1, 2);
        Tensor third = all.slice(0, 2, 3);
        Tensor both = all.slice(0, 0, 2);
        Tensor columns = third.permute(0, 2, 1);
        Tensor wide = Tensor.zeros(DType.FLOAT64, Shape.of(1, 2, 2))) {
      assertThat(plain(first, second, third)).isPresent();
      assertThat(plain(first, second, second)).isEmpty();
      assertThat(plain(second, third, second)).isEmpty();
      assertThat(plain(first, third, both)).isEmpty();
      assertThat(plain(first, columns, second)).isEmpty();
      assertThat(plain(first, second, wide)).isEmpty();
    }
  }
}
