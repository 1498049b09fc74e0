package org.relaxvm.examples.digits;

import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.examples.digits.render.LabelledImages;
import org.relaxvm.examples.digits.render.NetworkInput;
import org.relaxvm.vmcore.vm.VirtualMachine;
import org.relaxvm.vmcore.vm.VmFunction;

/**
 * How often the program names the right digit.
 *
 * @param images number of pictures of each digit
 * @param correct number of pictures of each digit that were named correctly
 */
public record Evaluation(int[] images, int[] correct) {
  private static final int BATCH_SIZE = 50;

  /**
   * Runs the program's {@code main} on the first pictures of a row, in batches.
   *
   * @param count number of pictures, a multiple of 50
   */
  public static Evaluation run(VirtualMachine vm, LabelledImages pictures, int count) {
    VmFunction main = vm.function("main");
    Evaluation evaluation = new Evaluation(new int[10], new int[10]);
    for (int first = 0; first < count; first += BATCH_SIZE) {
      try (Tensor input = batch(pictures, first);
          Tensor output = main.call(input).asTensor()) {
        evaluation.count(pictures, first, output.toFloatArray());
      }
    }
    return evaluation;
  }

  /** The share of pictures that were named correctly, 0 to 1. */
  public double accuracy() {
    int allImages = 0;
    int allCorrect = 0;
    for (int digit = 0; digit < 10; digit++) {
      allImages += images[digit];
      allCorrect += correct[digit];
    }
    return (double) allCorrect / allImages;
  }

  private static Tensor batch(LabelledImages pictures, int first) {
    float[] values = new float[BATCH_SIZE * NetworkInput.SIZE];
    for (int i = 0; i < BATCH_SIZE; i++) {
      float[] image = pictures.image(first + i);
      System.arraycopy(image, 0, values, i * NetworkInput.SIZE, NetworkInput.SIZE);
    }
    return Tensor.of(values, Shape.of(BATCH_SIZE, 1, NetworkInput.SIDE, NetworkInput.SIDE));
  }

  private void count(LabelledImages pictures, int first, float[] probabilities) {
    for (int i = 0; i < BATCH_SIZE; i++) {
      int label = pictures.label(first + i);
      images[label]++;
      if (Probabilities.mostLikely(probabilities, i) == label) {
        correct[label]++;
      }
    }
  }
}
