package org.relaxvm.examples.digits;

import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import javax.imageio.ImageIO;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Prints the probability of each digit for a picture: the shortest useful program. */
public final class FirstProgram {
  private FirstProgram() {}

  /** Takes the paths of {@code digits.rvm} and of a picture of dark ink on light paper. */
  public static void main(String[] paths) throws IOException {
    BufferedImage picture = ImageIO.read(new File(paths[1]));
    float[] darkness = new float[28 * 28];
    for (int i = 0; i < darkness.length; i++) {
      int x = (2 * (i % 28) + 1) * picture.getWidth() / 56;
      int y = (2 * (i / 28) + 1) * picture.getHeight() / 56;
      darkness[i] = 1 - (picture.getRGB(x, y) & 0xFF) / 255f;
    }

    Program program = Program.load(Path.of(paths[0]));
    try (VirtualMachine vm = VirtualMachine.builder(program).device("cpu").build();
        Tensor image = Tensor.of(darkness, Shape.of(1, 1, 28, 28));
        Tensor scores = vm.function("main").call(image).asTensor()) {
      System.out.println(Arrays.toString(scores.toFloatArray()));
    }
  }
}
