package org.relaxvm.examples.digits;

import static org.assertj.core.api.Assertions.assertThat;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.examples.digits.render.DrawSamples;
import org.relaxvm.examples.digits.render.GreyImage;
import org.relaxvm.examples.digits.render.NetworkInput;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.VirtualMachine;

class SamplesTest {
  private static final Pattern NUMBER = Pattern.compile("[0-9.E-]+");

  @Test
  void everySampleIsNamedCorrectly() throws IOException {
    Program program = Program.load(Path.of("digits.rvm"));
    try (VirtualMachine vm = VirtualMachine.builder(program).device("cpu").build()) {
      for (int digit = 0; digit < 10; digit++) {
        float[] darkness = NetworkInput.averaged(read(sample(digit)));
        try (Tensor input = Tensor.of(darkness, Shape.of(1, 1, 28, 28));
            Tensor output = vm.function("main").call(input).asTensor()) {
          assertThat(Probabilities.mostLikely(output.toFloatArray(), 0)).isEqualTo(digit);
        }
      }
    }
  }

  @Test
  void theFirstProgramPrintsTheProbabilitiesOfEverySample() throws IOException {
    for (int digit = 0; digit < 10; digit++) {
      float[] printed = numbers(outputOf(sample(digit)));
      assertThat(printed).hasSize(10);
      assertThat(Probabilities.mostLikely(printed, 0)).isEqualTo(digit);
    }
  }

  private static Path sample(int digit) {
    return Path.of("samples", DrawSamples.WORDS.get(digit) + ".png");
  }

  private static GreyImage read(Path file) throws IOException {
    BufferedImage image = ImageIO.read(file.toFile());
    int side = image.getWidth();
    byte[] pixels = new byte[side * side];
    for (int i = 0; i < pixels.length; i++) {
      pixels[i] = (byte) image.getRGB(i % side, i / side);
    }
    return new GreyImage(side, pixels);
  }

  private static String outputOf(Path picture) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream original = System.out;
    System.setOut(new PrintStream(bytes, true, StandardCharsets.UTF_8));
    try {
      FirstProgram.main(new String[] {"digits.rvm", picture.toString()});
    } finally {
      System.setOut(original);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static float[] numbers(String text) {
    Matcher matcher = NUMBER.matcher(text);
    float[] numbers = new float[10];
    int count = 0;
    while (matcher.find()) {
      numbers[count++] = Float.parseFloat(matcher.group());
    }
    assertThat(count).as(text).isEqualTo(10);
    return numbers;
  }
}
