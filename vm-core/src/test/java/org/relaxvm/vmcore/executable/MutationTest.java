package org.relaxvm.vmcore.executable;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.vmcore.verify.Verifier;

/** Damaged files end in one of our errors, or in a program that passes the verifier. */
class MutationTest {
  private static final int MAX_SEED_BYTES = 10_000;
  private static final int CASES = 4000;

  @Test
  void damagedFilesAreRefusedOrHarmless() throws IOException {
    long seed = Long.getLong("relaxvm.seed", System.nanoTime());
    System.out.println("MutationTest: -Drelaxvm.seed=" + seed);
    Random random = new Random(seed);
    List<byte[]> seeds = seeds();
    int refused = 0;
    for (int i = 0; i < CASES; i++) {
      byte[] file = mutate(seeds.get(i % seeds.size()), random);
      refused +=
          Assertions.assertTimeoutPreemptively(Duration.ofSeconds(20), () -> refuses(file)) ? 1 : 0;
    }
    assertThat(refused).isBetween(CASES / 10, CASES - 1);
  }

  private static List<byte[]> seeds() throws IOException {
    List<byte[]> seeds = new ArrayList<>();
    seeds.add(WorkedExample.bytes());
    seeds.add(WorkedExample.oldMagicBytes());
    seeds.add(EraFiles.oneConstantOfEachKind(EraFiles.Tags.A));
    if (Files.isDirectory(GoldenFiles.FOLDER)) {
      for (Path file : GoldenFiles.executables()) {
        if (Files.size(file) <= MAX_SEED_BYTES) {
          seeds.add(Files.readAllBytes(file));
        }
      }
    }
    return seeds;
  }

  private static byte[] mutate(byte[] original, Random random) {
    byte[] file = original.clone();
    for (int edits = 1 + random.nextInt(4); edits > 0; edits--) {
      int at = random.nextInt(file.length);
      switch (random.nextInt(5)) {
        case 0 -> file[at] = (byte) random.nextInt();
        case 1 -> file[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> Arrays.fill(file, at, Math.min(file.length, at + 8), (byte) -random.nextInt(2));
        case 3 -> file = Arrays.copyOf(file, at + 1);
        default -> {
          int from = random.nextInt(file.length);
          int length = Math.min(8, file.length - Math.max(from, at));
          System.arraycopy(file, from, file, at, length);
        }
      }
    }
    return file;
  }

  private static boolean refuses(byte[] file) {
    try {
      Executable executable =
          ExecutableReader.read(file, ReadOptions.DEFAULT.withAcceptance(Verifier::verify));
      Verifier.verify(executable);
      Executable again = ExecutableReader.read(ExecutableWriter.write(executable));
      assertThat(ExecutableWriter.write(again)).isEqualTo(ExecutableWriter.write(executable));
      return false;
    } catch (RelaxException e) {
      assertThat(e.getMessage()).isNotBlank();
      return true;
    }
  }
}
