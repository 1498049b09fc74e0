package org.relaxvm.examples.digits.render;

import static org.assertj.core.api.Assertions.assertThat;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class GaussianBlurTest {
  @Test
  void aPointSpreadsSymmetricallyAndKeepsItsSum() {
    float[] point = new float[21 * 21];
    point[10 * 21 + 10] = 1;
    float[] blurred = new GaussianBlur(1.5).apply(point, 21);
    double sum = 0;
    for (float value : blurred) {
      sum += value;
    }
    assertThat(sum).isEqualTo(1, Offset.offset(1e-5));
    assertThat(blurred[10 * 21 + 8])
        .isEqualTo(blurred[10 * 21 + 12])
        .isEqualTo(blurred[8 * 21 + 10]);
    assertThat(blurred[10 * 21 + 10]).isLessThan(0.1f).isGreaterThan(blurred[10 * 21 + 9]);
  }

  @Test
  void aTinySigmaChangesNothing() {
    float[] image = {0, 1, 2, 3};
    assertThat(new GaussianBlur(0.1).apply(image, 2)).containsExactly(0, 1, 2, 3);
  }
}
