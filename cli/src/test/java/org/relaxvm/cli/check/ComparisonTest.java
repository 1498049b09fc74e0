package org.relaxvm.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;

class ComparisonTest {
  private static final Comparison EXACT = new Comparison(0, 0);
  private static final Comparison LOOSE = new Comparison(1e-3, 0);

  @Test
  void equalValuesDoNotDiffer() {
    assertThat(EXACT.difference(tensor(1, Float.NaN), tensor(1, Float.NaN))).isEmpty();
    assertThat(EXACT.difference(3L, 3L)).isEmpty();
    assertThat(EXACT.difference(Shape.of(2), Shape.of(2))).isEmpty();
    assertThat(EXACT.difference(null, null)).isEmpty();
    assertThat(EXACT.difference(Tuple.of("a", 1L), Tuple.of("a", 1L))).isEmpty();
  }

  @Test
  void toleranceIsRelativeToTheElement() {
    assertThat(LOOSE.difference(tensor(1000, 1), tensor(1000.9f, 1))).isEmpty();
    assertThat(LOOSE.difference(tensor(1000, 1), tensor(1000, 1.1f)))
        .contains("result: element 1: expected 1.0, but got 1.100000023841858");
  }

  @Test
  void elementsNearZeroAreJudgedByTheTensor() {
    assertThat(LOOSE.difference(tensor(1000, 0), tensor(1000, 0.0009f))).isEmpty();
    assertThat(LOOSE.difference(tensor(1000, 0), tensor(1000, 0.0011f))).isPresent();
  }

  @Test
  void theAbsoluteToleranceIsAdded() {
    assertThat(new Comparison(0, 0.5).difference(tensor(1, 0), tensor(1.5f, -0.5f))).isEmpty();
    assertThat(new Comparison(0.1, 0.5).difference(tensor(10), tensor(11.5f))).isEmpty();
    assertThat(new Comparison(0, 0.5).difference(tensor(1), tensor(1.75f)))
        .contains("result: element 0: expected 1.0, but got 1.75");
    assertThat(new Comparison(0, 0.5).difference(1.0, 1.25)).isEmpty();
  }

  @Test
  void integersMustBeEqual() {
    assertThat(new Comparison(1, 1).difference(5L, 6L)).contains("result: expected 5, but got 6");
  }

  @Test
  void differencesNameTheirIndex() {
    assertThat(EXACT.difference(Tuple.of("a", Tuple.of(1L, 2L)), Tuple.of("a", Tuple.of(1L, 3L))))
        .contains("result[1][1]: expected 2, but got 3");
    assertThat(EXACT.difference(tensor(1), tensor(1, 2)))
        .contains("result: expected float32[1], but got float32[2]");
    assertThat(EXACT.difference("a", null))
        .contains("result: expected ffi.String a, but got None null");
  }

  private static Tensor tensor(float... values) {
    return Tensor.of(values, Shape.of(values.length));
  }
}
