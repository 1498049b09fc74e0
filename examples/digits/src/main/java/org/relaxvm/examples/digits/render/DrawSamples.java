package org.relaxvm.examples.digits.render;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;

/** Draws one sample picture of each digit, with held-out faces, into the folder {@code samples}. */
public final class DrawSamples {
  /** File names of the samples: the English word for each digit, zero first. */
  public static final List<String> WORDS =
      List.of("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine");

  private static final int SIDE = 140;
  private static final long SEED = 2026;

  private DrawSamples() {}

  /** Writes {@code samples/zero.png} to {@code samples/nine.png} below the working folder. */
  public static void main(String[] arguments) throws IOException {
    Path folder = Files.createDirectories(Path.of("samples"));
    DigitRenderer renderer = new DigitRenderer(FaceSet.heldOut().load());
    for (int digit = 0; digit < WORDS.size(); digit++) {
      Path file = folder.resolve(WORDS.get(digit) + ".png");
      GreyImage picture = renderer.render(digit, SIDE, SEED + digit);
      ImageIO.write(picture.toBufferedImage(), "png", file.toFile());
    }
    System.out.println("wrote " + WORDS.size() + " pictures to " + folder.toAbsolutePath());
  }
}
