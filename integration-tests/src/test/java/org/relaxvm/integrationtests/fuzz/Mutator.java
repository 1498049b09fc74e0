package org.relaxvm.integrationtests.fuzz;

import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Makes the damaged file of a case: the same for the same seed, case number and samples. */
final class Mutator {
  private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

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
