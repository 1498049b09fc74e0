package org.relaxvm.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ShapeTest {
  @Test
  void elementCountIsTheProduct() {
    assertThat(Shape.scalar().elementCount()).isOne();
    assertThat(Shape.of(2, 3).elementCount()).isEqualTo(6);
    assertThat(Shape.of(1L << 31, 1L << 31).elementCount()).isEqualTo(1L << 62);
  }

  @Test
  void elementCountIsTheSameWheneverItIsAsked() {
    for (long count : new long[] {0, 1, Integer.MAX_VALUE - 1, Integer.MAX_VALUE, 1L << 31}) {
      Shape shape = Shape.of(count);
      assertThat(shape.elementCount()).isEqualTo(count);
      assertThat(shape.elementCount()).isEqualTo(count);
    }
    assertThat(Shape.of(1 << 16, 1 << 15, 3).elementCount()).isEqualTo(3L << 31);
  }

  @Test
  void anExtentOfZeroMakesItEmptyHoweverLargeTheOthers() {
    assertThat(Shape.of(Long.MAX_VALUE, Long.MAX_VALUE, 0).elementCount()).isZero();
  }

  @Test
  void elementCountsBeyond63BitsAreRefused() {
    assertThatThrownBy(() -> Shape.of(1L << 32, 1L << 31).elementCount())
        .hasMessage("the element count of shape [4294967296, 2147483648] does not fit 63 bits");
    assertThatThrownBy(() -> Shape.of(1L << 62, 1L << 62).elementCount())
        .hasMessageEndingWith("does not fit 63 bits");
  }

  @Test
  void negativeExtentsHaveNoElementCount() {
    assertThatThrownBy(() -> Shape.of(0, -1).elementCount())
        .hasMessage("shape [0, -1] has a negative extent and so no element count");
  }

  @Test
  void shapesAreValues() {
    long[] dims = {2, 3};
    Shape shape = Shape.of(dims);
    dims[0] = 9;
    shape.toArray()[1] = 9;
    assertThat(shape).isEqualTo(Shape.of(2, 3)).hasSameHashCodeAs(Shape.of(2, 3));
    assertThat(shape).isNotEqualTo(Shape.of(3, 2)).hasToString("[2, 3]");
    assertThat(shape.rank()).isEqualTo(2);
    assertThat(shape.dim(1)).isEqualTo(3);
  }
}
