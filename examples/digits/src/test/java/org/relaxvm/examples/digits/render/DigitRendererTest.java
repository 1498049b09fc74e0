package org.relaxvm.examples.digits.render;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class DigitRendererTest {
  private static DigitRenderer renderer;

  @BeforeAll
  static void loadFaces() throws IOException {
    renderer = new DigitRenderer(FaceSet.heldOut().load());
  }

  @Test
  void sameSeedDrawsTheSamePixels() {
    assertThat(renderer.render(7, 112, 5).pixels()).isEqualTo(renderer.render(7, 112, 5).pixels());
  }

  @Test
  void anotherSeedDrawsOtherPixels() {
    assertThat(renderer.render(7, 112, 5).pixels())
        .isNotEqualTo(renderer.render(7, 112, 6).pixels());
  }

  @Test
  void digitIsDarkOnLightPaperAndLeavesTheEdgesFree() {
    for (int i = 0; i < 100; i++) {
      float[] darkness = NetworkInput.averaged(renderer.render(i % 10, 112, i));
      float darkest = 0;
      for (float value : darkness) {
        darkest = Math.max(darkest, value);
      }
      double upperEdge = 0;
      for (int x = 0; x < NetworkInput.SIDE; x++) {
        upperEdge += darkness[x] / NetworkInput.SIDE;
      }
      assertThat(darkest).as("darkest value of picture %d", i).isGreaterThan(0.5f);
      assertThat(upperEdge).as("upper edge of picture %d", i).isLessThan(0.32);
    }
  }
}
