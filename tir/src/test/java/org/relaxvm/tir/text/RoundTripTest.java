package org.relaxvm.tir.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.rewrite.Renewal;
import org.relaxvm.tir.rewrite.StructuralEquality;

/** What is printed is read back, and damaged texts end in an error of ours. */
class RoundTripTest {
  private static final int KERNELS = 3000;
  private static final int MUTATIONS = 5000;

  private static Random random() {
    long seed = Long.getLong("relaxvm.seed", System.nanoTime());
    System.out.println("RoundTripTest: -Drelaxvm.seed=" + seed);
    return new Random(seed);
  }

  @Test
  void randomKernelsComeBackEqual() {
    RandomKernels kernels = new RandomKernels(random());
    for (int i = 0; i < KERNELS; i++) {
      PrimFunc kernel = kernels.next();
      String text = TirText.print(kernel);
      List<PrimFunc> again = TirText.parse(text, "kernel " + i);
      assertThat(again).as(text).hasSize(1);
      assertThat(StructuralEquality.areEqual(kernel, again.getFirst())).as(text).isTrue();
      assertThat(again.getFirst().name()).isEqualTo(kernel.name());
      assertThat(TirText.print(again)).isEqualTo(text);
    }
  }

  @Test
  void severalKernelsComeBackInOrder() {
    RandomKernels kernels = new RandomKernels(random());
    for (int i = 0; i < 50; i++) {
      List<PrimFunc> all = List.of(kernels.next(), kernels.next(), kernels.next());
      List<PrimFunc> again = TirText.parse(TirText.print(all), "all");
      assertThat(again).hasSize(3);
      for (int k = 0; k < 3; k++) {
        assertThat(StructuralEquality.areEqual(all.get(k), again.get(k))).isTrue();
        assertThat(again.get(k).name()).isEqualTo(all.get(k).name());
      }
    }
  }

  @Test
  void freshCopiesOfRandomKernelsAreEqual() {
    RandomKernels kernels = new RandomKernels(random());
    for (int i = 0; i < KERNELS; i++) {
      PrimFunc kernel = kernels.next();
      String text = TirText.print(kernel);
      PrimFunc copy = Renewal.of(kernel);
      assertThat(StructuralEquality.areEqual(kernel, copy)).as(text).isTrue();
      assertThat(TirText.print(copy)).isEqualTo(text);
    }
  }

  @Test
  void damagedTextsAreRefusedOrRead() {
    Random random = random();
    RandomKernels kernels = new RandomKernels(random);
    int refused = 0;
    for (int i = 0; i < MUTATIONS; i++) {
      String text = mutate(TirText.print(kernels.next()), random);
      try {
        for (PrimFunc kernel : TirText.parse(text, "damaged")) {
          PrimFunc again = TirText.parse(TirText.print(kernel), "again").getFirst();
          assertThat(StructuralEquality.areEqual(kernel, again)).as(text).isTrue();
        }
      } catch (MalformedFileException e) {
        assertThat(e).hasMessageStartingWith("damaged:");
        refused++;
      }
    }
    assertThat(refused).isBetween(MUTATIONS / 10, MUTATIONS - 1);
  }

  private static String mutate(String original, Random random) {
    StringBuilder text = new StringBuilder(original);
    for (int edits = 1 + random.nextInt(3); edits > 0; edits--) {
      int at = random.nextInt(text.length());
      int from = random.nextInt(text.length());
      int to = Math.min(text.length(), from + random.nextInt(30));
      switch (random.nextInt(6)) {
        case 0 -> text.deleteCharAt(at);
        case 1 ->
            text.setCharAt(at, (char) (random.nextInt(10) == 0 ? 0x2603 : random.nextInt(128)));
        case 2 -> text.insert(at, text.substring(from, to));
        case 3 -> text.delete(from, to);
        case 4 -> text.insert(at, "()[]{},:.=-\n \"'@#".charAt(random.nextInt(17)));
        default -> {
          int newline = text.indexOf("\n", at);
          if (newline >= 0) {
            text.insert(newline + 1, " ".repeat(random.nextInt(9)));
          }
        }
      }
    }
    return text.toString();
  }
}
