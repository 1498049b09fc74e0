package org.relaxvm.examples.digits.train;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.relaxvm.examples.digits.render.DigitRenderer;
import org.relaxvm.examples.digits.render.FaceSet;
import org.relaxvm.examples.digits.render.LabelledImages;

class TrainerTest {
  private static final int STEPS = 60;

  private static LabelledImages images;

  @BeforeAll
  static void loadFaces() throws IOException {
    images = new LabelledImages(new DigitRenderer(FaceSet.training().load()), 3);
  }

  @Test
  void lossFalls() {
    List<Double> losses = new ArrayList<>();
    new Trainer(Network.random(3), images).train(STEPS, (step, steps, loss) -> losses.add(loss));
    assertThat(losses).hasSize(STEPS);
    assertThat(mean(losses.subList(STEPS - 10, STEPS))).isLessThan(mean(losses.subList(0, 10)) / 2);
  }

  @Test
  void resultDoesNotDependOnTheNumberOfThreads() {
    Network one = trainedOn(1);
    Network three = trainedOn(3);
    for (int p = 0; p < one.parameters().size(); p++) {
      assertThat(three.parameters().get(p).values()).isEqualTo(one.parameters().get(p).values());
    }
  }

  @Test
  void probabilitiesAddUpToOne() {
    float sum = 0;
    for (float probability : Network.random(3).probabilities(images.image(0))) {
      sum += probability;
    }
    assertThat(sum).isBetween(0.99999f, 1.00001f);
  }

  private static Network trainedOn(int threads) {
    try (ForkJoinPool pool = new ForkJoinPool(threads)) {
      Network network = Network.random(3);
      Trainer trainer = new Trainer(network, images);
      pool.submit(() -> trainer.train(5, (step, steps, loss) -> {})).join();
      return network;
    }
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
  }
}
