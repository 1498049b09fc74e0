package org.relaxvm.machine.arm64;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All constants of logical instructions have an encoding, and no others. */
class ImmediateTest {
  @TempDir private Path folder;

  /** Runs of ones, rotated and repeated, as the definition says. */
  private static Set<Long> all(int bits) {
    Set<Long> values = new TreeSet<>();
    for (int size = 2; size <= bits; size *= 2) {
      for (int ones = 1; ones < size; ones++) {
        for (int rotation = 0; rotation < size; rotation++) {
          long value = 0;
          for (int i = 0; i < bits; i++) {
            boolean isOne = (i + rotation) % size < ones;
            value |= isOne ? 1L << i : 0;
          }
          values.add(value);
        }
      }
    }
    return values;
  }

  @Test
  void encodingsOfAllConstantsAreThoseOfTheReference() throws Exception {
    GnuTools.needAssembler();
    assertThat(all(64)).hasSize(5_334);
    Assembler assembler = Assembler.withListing(Set.of());
    for (long value : all(64)) {
      assembler.emit(Instruction.EOR, Gp.x(3), Gp.x(4), Immediate.of(value));
    }
    for (long value : all(32)) {
      assembler.emit(Instruction.EOR, Gp.w(3), Gp.w(4), Immediate.of(value));
      assembler.emit(Instruction.EOR, Gp.w(3), Gp.w(4), Immediate.of((int) value));
    }
    byte[] code = assembler.finish();
    assertThat(words(code)).isEqualTo(words(GnuTools.assemble(folder, assembler.listing())));
  }

  private static List<String> words(byte[] code) {
    ByteBuffer bytes = ByteBuffer.wrap(code).order(ByteOrder.LITTLE_ENDIAN);
    List<String> words = new ArrayList<>();
    while (bytes.hasRemaining()) {
      words.add(Integer.toHexString(bytes.getInt()));
    }
    return words;
  }

  @Test
  void otherConstantsHaveNoEncoding() {
    Set<Long> all = all(64);
    Random random = new Random(7);
    for (long value : all) {
      // A neighbour of a constant may be one, too.
      long other = value ^ 1L << random.nextInt(64);
      assertThat(Immediate.of(other).isBitmask(64)).isEqualTo(all.contains(other));
    }
    for (int i = 0; i < 10_000; i++) {
      long value = random.nextLong();
      assertThat(Immediate.of(value).isBitmask(64)).isEqualTo(all.contains(value));
    }
    assertThat(Immediate.of(0).isBitmask(64)).isFalse();
    assertThat(Immediate.of(-1).isBitmask(64)).isFalse();
    assertThat(Immediate.of(-1).isBitmask(32)).isFalse();
    assertThat(Immediate.of(0xFFFF_FFFFL).isBitmask(32)).isFalse();
    assertThat(Immediate.of(0x1_0000_0001L).isBitmask(32)).isFalse();
  }
}
