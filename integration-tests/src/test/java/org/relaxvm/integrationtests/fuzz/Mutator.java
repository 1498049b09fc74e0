package org.relaxvm.integrationtests.fuzz;

import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Makes the damaged file of a case: the same for the same seed, case number and samples. */
final class Mutator {
  // Not the generator's own step, with which each case would continue the case before.
  private static final long SPREAD = 0xD134_2543_DE82_EF95L;

  private final List<Sample> samples;
  private final List<byte[]> contents;

  Mutator(List<Sample> samples) {
    this.samples = List.copyOf(samples);
    this.contents = samples.stream().map(Sample::bytes).toList();
  }

  Sample damaged(long seed, long number) {
    RandomGenerator random = new SplittableRandom(seed + SPREAD * number);
    Sample sample = samples.get(random.nextInt(samples.size()));
    return new Sample(sample.name(), sample.format(), mutate(sample, random));
  }

  private byte[] mutate(Sample sample, RandomGenerator random) {
    ByteMutator bytes = new ByteMutator(random);
    if (random.nextInt(4) == 0) {
      return bytes.mutate(sample.bytes(), contents);
    }
    ExecutableMutator words = new ExecutableMutator(random, bytes);
    return switch (sample.format()) {
      case EXECUTABLE -> words.mutate(sample.bytes());
      case TEXT -> new TextMutator(random).mutate(sample.bytes());
      case PACKAGE ->
          new PackageMutator(random)
              .mutate(sample.bytes(), words::mutate, entry -> bytes.mutate(entry, contents));
      case NPY, NPZ, PARAMS -> bytes.mutate(sample.bytes(), contents);
    };
  }
}
