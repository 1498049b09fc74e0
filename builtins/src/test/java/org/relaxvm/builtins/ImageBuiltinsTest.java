package org.relaxvm.builtins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.builtins.Failures.assertFails;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.builtins.fakes.FakeVm;

class ImageBuiltinsTest {
  private final FakeVm vm = new FakeVm();

  /** Two pixels beside each other. */
  private static Tensor file(String format, int type, int left, int right) {
    BufferedImage image = new BufferedImage(2, 1, type);
    image.setRGB(0, 0, 2, 1, new int[] {left, right}, 0, 2);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      assertThat(ImageIO.write(image, format, out)).isTrue();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes(out.toByteArray());
  }

  private static Tensor bytes(byte[] content) {
    return Tensor.of(content, DType.UINT8, Shape.of(content.length));
  }

  private String decoded(Tensor file, String format) {
    Tensor image = vm.call("relaxvm.host.decode_image", file, format).asTensor();
    return image.shape() + Arrays.toString(image.toLongArray());
  }

  @Test
  void pixelsAreInTheOrderThatIsAskedFor() {
    for (String format : new String[] {"png", "bmp", "gif"}) {
      Tensor file = file(format, BufferedImage.TYPE_INT_RGB, 0xFF8000, 0x000040);
      assertThat(decoded(file, "RGB")).isEqualTo("[1, 2, 3][255, 128, 0, 0, 0, 64]");
      assertThat(decoded(file, "BGR")).isEqualTo("[1, 2, 3][0, 128, 255, 64, 0, 0]");
      assertThat(decoded(file, "Grayscale")).isEqualTo("[1, 2, 1][151, 7]");
    }
  }

  @Test
  void greyImagesKeepTheirNumbers() {
    BufferedImage grey = new BufferedImage(2, 1, BufferedImage.TYPE_BYTE_GRAY);
    grey.getRaster().setSample(0, 0, 0, 100);
    grey.getRaster().setSample(1, 0, 0, 200);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      ImageIO.write(grey, "png", out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Tensor file = bytes(out.toByteArray());
    assertThat(decoded(file, "RGB")).isEqualTo("[1, 2, 3][100, 100, 100, 200, 200, 200]");
    assertThat(decoded(file, "Grayscale")).isEqualTo("[1, 2, 1][100, 200]");
  }

  @Test
  void otherFormatsAreRefused() {
    Tensor text = bytes("no image".getBytes(StandardCharsets.US_ASCII));
    assertFails(
        ErrorKind.VALUE,
        "the format of an image of 8 bytes is not one of bmp, gif, jpeg, jpg, png, tif, tiff, wbmp",
        () -> vm.call("relaxvm.host.decode_image", text, "RGB"));
    Tensor image = file("png", BufferedImage.TYPE_INT_RGB, 0, 0);
    assertFails(
        ErrorKind.VALUE,
        "the pixel format is 'HSV'; expected RGB, BGR or Grayscale",
        () -> vm.call("relaxvm.host.decode_image", image, "HSV"));
  }

  @Test
  void aDamagedImageIsRefused() {
    byte[] whole =
        file("png", BufferedImage.TYPE_INT_RGB, 0, 0)
            .segment()
            .toArray(java.lang.foreign.ValueLayout.JAVA_BYTE);
    Tensor part = bytes(Arrays.copyOf(whole, 20));
    assertFails(
        ErrorKind.VALUE,
        "an image is damaged: I/O error reading PNG header!",
        () -> vm.call("relaxvm.host.decode_image", part, "RGB"));
  }
}
