package org.relaxvm.cli.input;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ResamplerTest {
  @Test
  void sameSizeChangesNothing() {
    double[] image = {1, 2, 3, 4, 5, 6};
    assertThat(Resampler.scale(image, 3, 2, 3, 2)).containsExactly(image);
  }

  @Test
  void smallerAveragesTheCoveredArea() {
    assertThat(Resampler.scale(new double[] {0, 3, 6}, 3, 1, 2, 1)).containsExactly(1, 5);
    assertThat(Resampler.scale(new double[] {1, 2, 3, 4}, 2, 2, 1, 1)).containsExactly(2.5);
  }

  @Test
  void largerInterpolatesBetweenCentres() {
    assertThat(Resampler.scale(new double[] {0, 4}, 2, 1, 4, 1)).containsExactly(0, 1, 3, 4);
  }
}
