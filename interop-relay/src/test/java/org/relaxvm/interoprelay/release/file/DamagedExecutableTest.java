package org.relaxvm.interoprelay.release.file;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.interoprelay.release.ReleasedExecutable;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.testsupport.RandomCases;

/** Truncated and changed files of all eras end in our errors, in bounded time and memory. */
@Tag("effort")
class DamagedExecutableTest {
  private static final int CASES = Effort.chosen().pick(2_000, 20_000, 500_000);
  private static final long MOST_NANOS = 5_000_000_000L;
  private static final long MOST_BYTES = 16 << 20;
  private static final long[] WORDS = {
    -1,
    0,
    1,
    2,
    3,
    4,
    5,
    8,
    1L << 20,
    1L << 31,
    0xFFFF_FFFFL,
    1L << 40,
    Long.MAX_VALUE,
    Long.MIN_VALUE
  };

  @Test
  void damagedFilesAreRefusedOrHarmless() {
    RandomCases cases = RandomCases.of(CASES);
    System.out.println("DamagedExecutableTest: " + cases);
    List<byte[]> files = EraFiles.VERSIONS.stream().map(EraFiles::bytes).toList();
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    int[] refused = {0};
    cases
        .numbers()
        .forEach(
            number -> {
              Random random = new Random(cases.seed() * 31 + number);
              byte[] bytes = damaged(files.get(random.nextInt(files.size())).clone(), random);
              long start = System.nanoTime();
              long before = threads.getCurrentThreadAllocatedBytes();
              try {
                refused[0] += reads(bytes) ? 0 : 1;
              } catch (RuntimeException | Error e) {
                throw new AssertionError("repeat with " + cases.repeat(number), e);
              }
              assertThat(threads.getCurrentThreadAllocatedBytes() - before)
                  .as(cases.repeat(number))
                  .isLessThan(MOST_BYTES);
              assertThat(System.nanoTime() - start).as(cases.repeat(number)).isLessThan(MOST_NANOS);
            });
    if (!cases.isSingle()) {
      assertThat(refused[0]).isBetween(CASES / 4, CASES - 1);
    }
  }

  /** Whether the file is accepted; what is accepted can be written. */
  private static boolean reads(byte[] bytes) {
    ReleasedExecutable executable;
    try {
      executable = ReleasedExecutableReader.read(bytes, "damaged");
    } catch (MalformedFileException e) {
      assertThat(e.getMessage()).isNotBlank();
      return false;
    }
    byte[] written = ReleasedExecutableWriter.toBytes(executable);
    assertThat(ReleasedExecutableReader.read(written, "written").functions())
        .isEqualTo(executable.functions());
    return true;
  }

  private static byte[] damaged(byte[] bytes, Random random) {
    if (random.nextInt(8) == 0) {
      return Arrays.copyOf(bytes, random.nextInt(bytes.length));
    }
    byte[] result = bytes;
    ByteBuffer words = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
      int at = random.nextInt(result.length - 8);
      switch (random.nextInt(4)) {
        case 0 -> result[at] ^= (byte) (1 << random.nextInt(8));
        case 1 -> result[at] = (byte) random.nextInt();
        case 2 -> words.putLong(at, WORDS[random.nextInt(WORDS.length)]);
        default -> changeInstruction(words, random);
      }
    }
    if (random.nextInt(8) == 0) {
      int from = random.nextInt(result.length);
      int length = random.nextInt(1 + Math.min(16, result.length - from));
      byte[] shorter = new byte[result.length - length];
      System.arraycopy(result, 0, shorter, 0, from);
      System.arraycopy(result, from + length, shorter, from, shorter.length - from);
      return shorter;
    }
    return result;
  }

  /** Changes a word of an instruction and makes its hash right. */
  private static void changeInstruction(ByteBuffer bytes, Random random) {
    int first = random.nextInt(bytes.capacity() - 32);
    for (int at = first; at < bytes.capacity() - 24; at++) {
      long count = bytes.getLong(at);
      if (count >= 2 && count <= 16 && at + 8 * (count + 1) <= bytes.capacity()) {
        long[] words = words(bytes, at + 8, (int) count);
        if (words[0] == InstructionHash.of(words)) {
          words[1 + random.nextInt((int) count - 1)] =
              random.nextBoolean() ? WORDS[random.nextInt(WORDS.length)] : random.nextInt(40) - 8;
          words[0] = InstructionHash.of(words);
          for (int i = 0; i < count; i++) {
            bytes.putLong(at + 8 + 8 * i, words[i]);
          }
          return;
        }
      }
    }
  }

  private static long[] words(ByteBuffer bytes, int at, int count) {
    long[] words = new long[count];
    for (int i = 0; i < count; i++) {
      words[i] = bytes.getLong(at + 8 * i);
    }
    return words;
  }
}
