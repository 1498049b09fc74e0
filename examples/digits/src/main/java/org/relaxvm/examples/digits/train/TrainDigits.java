package org.relaxvm.examples.digits.train;

import java.io.IOException;
import java.nio.file.Path;
import org.relaxvm.api.io.Npz;
import org.relaxvm.examples.digits.render.DigitRenderer;
import org.relaxvm.examples.digits.render.FaceSet;
import org.relaxvm.examples.digits.render.LabelledImages;

/** Trains the network on rendered digits and writes {@code weights.npz} to the working folder. */
public final class TrainDigits {
  private static final int STEPS = 3000;
  private static final long SEED = 1;

  private TrainDigits() {}

  /** Trains for about two minutes on two cores. */
  public static void main(String[] arguments) throws IOException {
    Network network = Network.random(SEED);
    DigitRenderer renderer = new DigitRenderer(FaceSet.training().load());
    new Trainer(network, new LabelledImages(renderer, SEED))
        .train(STEPS, TrainDigits::printProgress);
    Path file = Path.of("weights.npz");
    Npz.write(file, network.weights());
    System.out.println("wrote " + file.toAbsolutePath());
  }

  private static void printProgress(int step, int steps, double loss) {
    if (step % 100 == 0) {
      System.out.printf("step %4d of %d, loss %.4f%n", step, steps, loss);
    }
  }
}
