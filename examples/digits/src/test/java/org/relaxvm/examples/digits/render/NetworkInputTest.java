package org.relaxvm.examples.digits.render;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class NetworkInputTest {
  @Test
  void whiteBecomesZeroAndBlackBecomesOne() {
    byte[] white = new byte[56 * 56];
    Arrays.fill(white, (byte) 255);
    assertThat(NetworkInput.averaged(new GreyImage(56, white))).containsOnly(0f);
    assertThat(NetworkInput.averaged(new GreyImage(56, new byte[56 * 56]))).containsOnly(1f);
    assertThat(NetworkInput.sampled(new GreyImage(56, new byte[56 * 56]))).containsOnly(1f);
  }

  @Test
  void averageWeighsPartlyCoveredPixels() {
    // Side 42: each value covers 1.5 x 1.5 pixels. One black pixel on white at (1, 1).
    byte[] pixels = new byte[42 * 42];
    Arrays.fill(pixels, (byte) 255);
    pixels[42 + 1] = 0;
    float[] values = NetworkInput.averaged(new GreyImage(42, pixels));
    Offset<Float> rounding = Offset.offset(1e-6f);
    assertThat(values[0]).isEqualTo(0.25f / 2.25f, rounding);
    assertThat(values[1]).isEqualTo(0.25f / 2.25f, rounding);
    assertThat(values[NetworkInput.SIDE + 1]).isEqualTo(0.25f / 2.25f, rounding);
    assertThat(values[2]).isZero();
  }

  @Test
  void averageKeepsTheMeanOfAnySize() {
    for (int size : new int[] {28, 33, 64, 112, 140}) {
      byte[] pixels = new byte[size * size];
      double sum = 0;
      for (int i = 0; i < pixels.length; i++) {
        pixels[i] = (byte) (i * 37);
        sum += 255 - (pixels[i] & 0xFF);
      }
      double mean = 0;
      for (float value : NetworkInput.averaged(new GreyImage(size, pixels))) {
        mean += value / NetworkInput.SIZE;
      }
      assertThat(mean).isEqualTo(sum / pixels.length / 255, Offset.offset(1e-5));
    }
  }
}
