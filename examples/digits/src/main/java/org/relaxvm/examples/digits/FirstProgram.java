package org.relaxvm.examples.digits;

import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import javax.imageio.ImageIO;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.Results;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Prints the probability of each digit for an image: the shortest useful program. */
public final class FirstProgram {
  private FirstProgram() {}

  /** Takes the paths of {@code digits.rvm} and of an image with dark ink on light paper. */
  public static void main(String[] paths) throws IOException {
    BufferedImage image = ImageIO.read(new File(paths[1]));
    float[] darkness = new float[28 * 28];
    for (int i = 0; i < darkness.length; i++) {
      int x = (2 * (i % 28) + 1) * image.getWidth() / 56;
      int y = (2 * (i / 28) + 1) * image.getHeight() / 56;
      darkness[i] = 1 - (image.getRGB(x, y) & 0xFF) / 255f;
    }

    Program program = Program.load(Path.of(paths[0]));
    try (VirtualMachine vm = VirtualMachine.builder(program).device("cpu").build();
        Tensor input = Tensor.of(darkness, Shape.of(1, 1, 28, 28));
        Results results = vm.function("main").call(Map.of("image", input))) {
      System.out.println(Arrays.toString(results.tensor("output").toFloatArray()));
    }
  }
}
