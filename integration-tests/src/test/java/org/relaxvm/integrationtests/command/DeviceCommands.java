package org.relaxvm.integrationtests.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.io.Npy;

/** The command with a device says what it says with the CPU; a class for each kind of device. */
abstract class DeviceCommands {
  private static final String DIGITS = "../examples/digits/digits.rvm";
  private static final String SAMPLES = "../examples/digits/samples/";

  /** The first step runs on one device, the second on another, the third on the first again. */
  private static final String SPLIT =
      """
      @I.ir_module
      class Module:
          I.module_global_infos({"vdevice": [I.vdevice("DEVICE", 0), I.vdevice("cpu", 0)]})

          @R.function
          def main(x: R.Tensor((4, 6), dtype="float32", vdevice="cpu:0")):
              a = R.to_vdevice(x, "DEVICE:0")
              b = R.nn.softmax(a, axis=-1)
              c = R.to_vdevice(b, "cpu:0")
              d = R.sum(R.exp(c), axis=[1], keepdims=True)
              e = R.to_vdevice(d, "DEVICE:0")
              f = R.add(a, R.multiply(b, e))
              g = R.to_vdevice(f, "cpu:0")
              return g
      """;

  private final String kind;

  @TempDir Path folder;

  DeviceCommands(String kind) {
    this.kind = kind;
  }

  private String device() {
    return kind + ":0";
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"})
  void digitsPrintsTheSameLabel(String sample) {
    String image = SAMPLES + sample + ".png";
    CommandRun there = CommandRun.of("run", DIGITS, image, "--device", device());
    assertThat(there.err()).isEmpty();
    assertThat(there.code()).isZero();
    assertThat(there.out().lines()).hasSize(11);
    assertThat(there.out().lines().findFirst())
        .isEqualTo(CommandRun.of("run", DIGITS, image).out().lines().findFirst());
  }

  @Test
  void digitsGivesTheSameScores() throws IOException {
    Path image = folder.resolve("images.npy");
    float[] pixels = new float[3 * 28 * 28];
    for (int i = 0; i < pixels.length; i++) {
      pixels[i] = (i * 7919 % 256) / 255f;
    }
    Npy.write(image, Tensor.of(pixels, Shape.of(3, 1, 28, 28)));
    assertClose(
        result("there", DIGITS, "image=" + image, "--device", device()),
        result("here", DIGITS, "image=" + image));
  }

  @Test
  void aSplitProgramGivesWhatItGivesOnTheCpuAlone() throws IOException {
    Path input = folder.resolve("x.npy");
    float[] values = new float[24];
    for (int i = 0; i < values.length; i++) {
      values[i] = i % 5 - i / 7f;
    }
    Npy.write(input, Tensor.of(values, Shape.of(4, 6)));
    assertClose(
        result("there", split(kind), "x=" + input), result("here", split("cpu"), "x=" + input));
  }

  @Test
  void inspectShowsWhereASplitProgramRuns() throws IOException {
    CommandRun run = CommandRun.of("inspect", split(kind));
    assertThat(run.err()).isEmpty();
    assertThat(run.out())
        .contains(
            """

            Devices (2), constants on the first
              0: DEVICE
              1: cpu:0
            """
                .replace("DEVICE", device()))
        .containsPattern(
            """
            Copies between devices \\(4\\)
              main, instruction \\d+: from cpu:0 to DEVICE
              main, instruction \\d+: from DEVICE to cpu:0
              main, instruction \\d+: from cpu:0 to DEVICE
              main, instruction \\d+: from DEVICE to cpu:0
            """
                .replace("DEVICE", device()))
        .contains("\nKernels for cpu", "\nKernels for " + kind);
  }

  private Path split(String device) throws IOException {
    return Files.writeString(
        folder.resolve("split-" + device + ".relax"), SPLIT.replace("DEVICE", device));
  }

  final float[] result(String name, Object... arguments) throws IOException {
    Path output = folder.resolve(name + ".npy");
    Object[] all = new Object[arguments.length + 3];
    all[0] = "run";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    all[all.length - 2] = "--output";
    all[all.length - 1] = output;
    CommandRun run = CommandRun.of(all);
    assertThat(run.err()).isEmpty();
    try (Tensor tensor = Npy.read(output)) {
      return tensor.toFloatArray();
    }
  }

  static void assertClose(float[] got, float[] expected) {
    assertThat(got).hasSameSizeAs(expected);
    for (int i = 0; i < got.length; i++) {
      float allowed = 1e-4f * Math.max(1e-2f, Math.abs(expected[i]));
      assertThat(got[i]).as("element %d", i).isCloseTo(expected[i], within(allowed));
    }
  }
}
