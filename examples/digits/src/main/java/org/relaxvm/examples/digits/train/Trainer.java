package org.relaxvm.examples.digits.train;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.relaxvm.examples.digits.render.LabelledImages;

/**
 * Mini-batch training with a falling learning rate. Every image is rendered once, used once and
 * never stored. Not thread-safe; works in parallel inside.
 */
public final class Trainer {
  private static final int BATCH_SIZE = 64;

  /**
   * A batch is always cut into this many parts whose gradients are added in order, so that
   * rounding, and with it the result, does not depend on the number of cores.
   */
  private static final int PARTS = 4;

  private static final double FIRST_RATE = 2e-3;

  private final LabelledImages images;
  private final Adam optimiser;
  private final List<Pass> passes = new ArrayList<>();

  /** Prepares training {@code network} in place on {@code images}. */
  public Trainer(Network network, LabelledImages images) {
    this.images = images;
    this.optimiser = new Adam(network.parameters());
    for (int part = 0; part < PARTS; part++) {
      passes.add(new Pass(network));
    }
  }

  /** Receives the progress of training. */
  @FunctionalInterface
  public interface Progress {
    /**
     * Called after each step.
     *
     * @param step number of finished steps
     * @param steps number of all steps
     * @param loss mean cross-entropy of the step's batch
     */
    void afterStep(int step, int steps, double loss);
  }

  /** Trains for a number of steps of 64 images each. The rate falls to zero along a cosine. */
  public void train(int steps, Progress progress) {
    for (int step = 0; step < steps; step++) {
      long first = (long) step * BATCH_SIZE;
      double[] losses =
          IntStream.range(0, PARTS).parallel().mapToDouble(part -> learn(part, first)).toArray();
      double rate = FIRST_RATE * 0.5 * (1 + StrictMath.cos(Math.PI * step / steps));
      optimiser.step(summedGradients(), BATCH_SIZE, rate);
      progress.afterStep(
          step + 1,
          steps,
          IntStream.range(0, PARTS).mapToDouble(i -> losses[i]).sum() / BATCH_SIZE);
    }
  }

  private double learn(int part, long first) {
    double loss = 0;
    for (int i = part; i < BATCH_SIZE; i += PARTS) {
      loss += passes.get(part).learn(images.image(first + i), images.label(first + i));
    }
    return loss;
  }

  /** Adds the gradients of all parts into those of the first and clears the others. */
  private List<float[]> summedGradients() {
    List<float[]> sums = passes.getFirst().gradients();
    for (Pass pass : passes.subList(1, PARTS)) {
      List<float[]> gradients = pass.gradients();
      for (int p = 0; p < sums.size(); p++) {
        float[] sum = sums.get(p);
        float[] gradient = gradients.get(p);
        for (int i = 0; i < sum.length; i++) {
          sum[i] += gradient[i];
          gradient[i] = 0;
        }
      }
    }
    return sums;
  }
}
