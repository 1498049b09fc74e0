package org.relaxvm.examples.digits;

import java.io.IOException;
import java.nio.file.Path;
import org.relaxvm.examples.digits.render.DigitRenderer;
import org.relaxvm.examples.digits.render.FaceSet;
import org.relaxvm.examples.digits.render.LabelledImages;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Runs {@code digits.rvm} on pictures in held-out fonts and prints how many it names correctly. */
public final class Evaluate {
  /** Seed of the held-out row of pictures; no training picture uses it. */
  static final long SEED = 20_260_101;

  private static final int COUNT = 5000;

  private Evaluate() {}

  /**
   * Prints the accuracy of each digit and of all.
   *
   * @param arguments the device, {@code cpu} if there is none
   */
  public static void main(String[] arguments) throws IOException {
    String device = arguments.length == 0 ? "cpu" : arguments[0];
    Program program = Program.load(Path.of("digits.rvm"));
    DigitRenderer renderer = new DigitRenderer(FaceSet.heldOut().load());
    try (VirtualMachine vm = VirtualMachine.builder(program).device(device).build()) {
      print(Evaluation.run(vm, new LabelledImages(renderer, SEED), COUNT));
    }
  }

  private static void print(Evaluation evaluation) {
    for (int digit = 0; digit < 10; digit++) {
      System.out.printf(
          "%d: %d of %d%n", digit, evaluation.correct()[digit], evaluation.images()[digit]);
    }
    System.out.printf(
        "accuracy on %d held-out pictures: %.2f %%%n", COUNT, 100 * evaluation.accuracy());
  }
}
