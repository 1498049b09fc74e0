package org.relaxvm.cli.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.imageio.ImageIO;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.io.Npz;
import org.relaxvm.vmcore.program.ImageSpec;
import org.relaxvm.vmcore.program.ProgramMetadata;

class InputReaderTest {
  @TempDir private Path folder;

  @Test
  void readsScalarsAndShapes() {
    assertThat(read("3", "-7", "2.5", "1e3", "inf", "true", "false", "str:a=b", "shape:2x3"))
        .containsExactly(
            3L, -7L, 2.5, 1000.0, Double.POSITIVE_INFINITY, true, false, "a=b", Shape.of(2, 3));
    assertThat(read("null")).containsExactly((Object) null);
  }

  @Test
  void randomTensorsAreTheSameForTheSameText() {
    Tensor first = tensor("random:2x3:float64:7");
    Tensor again = tensor("random:2x3:float64:7");
    Tensor other = tensor("random:2x3:float64:8");
    assertThat(first.dtype()).isEqualTo(DType.FLOAT64);
    assertThat(first.shape()).isEqualTo(Shape.of(2, 3));
    assertThat(first.toDoubleArray())
        .isEqualTo(again.toDoubleArray())
        .isNotEqualTo(other.toDoubleArray());
    assertThat(tensor("random:scalar:int64").shape()).isEqualTo(Shape.scalar());
    assertThat(tensor("random:0x5").elementCount()).isZero();
    assertThat(tensor("random:64:bool").toLongArray()).contains(0, 1).doesNotContain(2);
  }

  @Test
  void malformedRandomTensorIsRefused() {
    assertThatThrownBy(() -> read("random:2,3"))
        .hasMessage(
            "malformed input 'random:2,3': expected random:SHAPE[:DTYPE[:SEED]], such as"
                + " random:3x5:float32 or random:scalar:int64:7");
  }

  @Test
  void tensorsOfOneNumber() {
    assertThat(tensor("zeros:2x2").toFloatArray()).containsExactly(0, 0, 0, 0);
    assertThat(tensor("ones:3:int64").toLongArray()).containsExactly(1, 1, 1);
    assertThat(tensor("ones:scalar:float16").toFloatArray()).containsExactly(1);
    assertThatThrownBy(() -> read("ones:a"))
        .hasMessage(
            "malformed input 'ones:a': expected zeros:SHAPE[:DTYPE] or ones:SHAPE[:DTYPE], such as"
                + " zeros:3x5:float32 or ones:1x128:int64");
    assertThatThrownBy(() -> read("zeros:100000x1000000"))
        .hasMessage("input 'zeros:100000x1000000' is larger than 16 GiB");
  }

  @Test
  void hugeRandomTensorIsRefused() {
    assertThatThrownBy(() -> read("random:100000x1000000"))
        .hasMessage("input 'random:100000x1000000' is larger than 16 GiB");
  }

  @Test
  void namedInputsTakeTheirPositions() {
    List<@Nullable Object> args =
        new InputReader(ProgramMetadata.EMPTY, List.of("a", "b", "c"))
            .read(List.of("c=3", "1", "2"));
    assertThat(args).containsExactly(1L, 2L, 3L);
  }

  @Test
  void unknownNameIsRefused() {
    InputReader reader = new InputReader(ProgramMetadata.EMPTY, List.of("a", "b"));
    assertThatThrownBy(() -> reader.read(List.of("x=3")))
        .hasMessage("no parameter is named 'x'; there are: a, b");
    assertThatThrownBy(() -> reader.read(List.of("b=3"))).hasMessage("no input for parameter 'a'");
  }

  @Test
  void archivesAreMatchedByNameElseByOrder() {
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    tensors.put("b", Tensor.scalar(2f));
    tensors.put("a", Tensor.scalar(1f));
    Path file = folder.resolve("inputs.npz");
    Npz.write(file, tensors);
    List<@Nullable Object> named =
        new InputReader(ProgramMetadata.EMPTY, List.of("a", "b")).read(List.of(file.toString()));
    assertThat(named).map(InputReaderTest::scalar).containsExactly(1f, 2f);
    assertThat(read(file.toString())).map(InputReaderTest::scalar).containsExactly(2f, 1f);
  }

  @Test
  void imagesAreScaledInvertedAndNormalised() throws IOException {
    BufferedImage image = new BufferedImage(4, 2, BufferedImage.TYPE_INT_RGB);
    for (int x = 0; x < 4; x++) {
      int rgb = x < 2 ? 0x000000 : 0xFFFFFF;
      image.setRGB(x, 0, rgb);
      image.setRGB(x, 1, rgb);
    }
    Path file = folder.resolve("half.png");
    ImageIO.write(image, "png", file.toFile());
    ImageSpec spec =
        ImageSpec.grey("x", 2, 1)
            .withInvert(true)
            .withNormalisation(1 / 255.0, List.of(0.5), List.of(0.5));
    ProgramMetadata metadata = ProgramMetadata.builder().image(spec).build();
    Object value =
        new InputReader(metadata, List.of("x")).read(List.of(file.toString())).getFirst();
    assertThat(value).isInstanceOf(Tensor.class);
    Tensor tensor = (Tensor) value;
    assertThat(tensor.shape()).isEqualTo(Shape.of(1, 1, 1, 2));
    assertThat(tensor.toFloatArray()).containsExactly(1f, -1f);
  }

  @Test
  void imagesOfAnyLayoutHaveTheColorsOfTheirPixels() throws IOException {
    int[] types = {
      BufferedImage.TYPE_BYTE_GRAY,
      BufferedImage.TYPE_3BYTE_BGR,
      BufferedImage.TYPE_INT_RGB,
      BufferedImage.TYPE_4BYTE_ABGR
    };
    for (int type : types) {
      BufferedImage image = new BufferedImage(3, 1, type);
      boolean hasColors = type != BufferedImage.TYPE_BYTE_GRAY;
      int[][] pixels = {{10, 20, 30, 255}, {200, 100, 50, 255}, {7, 7, 7, 0}};
      for (int x = 0; x < 3; x++) {
        image.getRaster().setPixel(x, 0, Arrays.copyOf(pixels[x], image.getRaster().getNumBands()));
      }
      Path file = folder.resolve("layout" + type + ".png");
      ImageIO.write(image, "png", file.toFile());
      ImageSpec spec = ImageSpec.rgb("x", 3, 1).withNormalisation(1, zeros(), ones());
      ProgramMetadata metadata = ProgramMetadata.builder().image(spec).build();
      Tensor tensor =
          (Tensor)
              Objects.requireNonNull(
                  new InputReader(metadata, List.of("x"))
                      .read(List.of(file.toString()))
                      .getFirst());
      float last = image.getColorModel().hasAlpha() ? 255 : 7;
      assertThat(tensor.toFloatArray())
          .as("type %d", type)
          .containsExactly(
              hasColors
                  ? new float[] {10, 200, last, 20, 100, last, 30, 50, last}
                  : new float[] {10, 200, 7, 10, 200, 7, 10, 200, 7});
    }
  }

  private static List<Double> zeros() {
    return List.of(0.0, 0.0, 0.0);
  }

  private static List<Double> ones() {
    return List.of(1.0, 1.0, 1.0);
  }

  @Test
  void imageForAProgramWithoutImageInputIsRefused() throws IOException {
    Path file = Files.createFile(folder.resolve("x.png"));
    assertThatThrownBy(() -> read(file.toString()))
        .hasMessage(
            "the program does not say how an image becomes its input, so '"
                + file
                + "' cannot be used; give a .npy file");
  }

  @Test
  void fileThatIsNoImageIsRefused() throws IOException {
    Path file = Files.writeString(folder.resolve("x.png"), "no image");
    ProgramMetadata metadata = ProgramMetadata.builder().image(ImageSpec.grey("x", 2, 2)).build();
    assertThatThrownBy(() -> new InputReader(metadata, List.of()).read(List.of(file.toString())))
        .hasMessage(
            "'" + file + "' is no image that can be read: expected PNG, JPEG, GIF or BMP content");
  }

  private static List<@Nullable Object> read(String... inputs) {
    return new InputReader(ProgramMetadata.EMPTY, List.of()).read(List.of(inputs));
  }

  private static Tensor tensor(String input) {
    return (Tensor) Objects.requireNonNull(read(input).getFirst());
  }

  private static float scalar(@Nullable Object value) {
    return ((Tensor) Objects.requireNonNull(value)).toFloatArray()[0];
  }
}
