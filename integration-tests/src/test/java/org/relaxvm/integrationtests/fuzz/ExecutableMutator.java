package org.relaxvm.integrationtests.fuzz;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.random.RandomGenerator;

/** Edits of executables at the numbers of their structure and in their code. */
final class ExecutableMutator {
  private static final long VOID_REGISTER = 1L << 54;

  private final RandomGenerator random;
  private final ByteMutator numbers;

  ExecutableMutator(RandomGenerator random, ByteMutator numbers) {
    this.random = random;
    this.numbers = numbers;
  }

  byte[] mutate(byte[] original) {
    ExecutableLayout layout = ExecutableLayout.of(original);
    byte[] bytes = original.clone();
    if (random.nextInt(3) > 0) {
      new CodeMutator(random).mutate(bytes, layout);
      return bytes;
    }
    for (int edits = 1 + random.nextInt(3); edits > 0; edits--) {
      switch (random.nextInt(8)) {
        case 0 -> put(bytes, layout.structure(), false);
        case 1 -> put(bytes, layout.offsets(), false);
        case 2 -> swap(bytes, layout.words());
        default -> put(bytes, layout.words(), true);
      }
    }
    return bytes;
  }

  private void put(byte[] bytes, List<Integer> positions, boolean code) {
    if (positions.isEmpty()) {
      return;
    }
    int at = positions.get(random.nextInt(positions.size()));
    long old = longs(bytes).getLong(at);
    ByteMutator.putLong(bytes, at, code ? word(old) : numbers.number(old), Long.BYTES);
  }

  /** A word for the code: an opcode, register, jump, or argument of any kind. */
  private long word(long old) {
    return switch (random.nextInt(8)) {
      case 0 -> random.nextInt(6);
      case 1 -> VOID_REGISTER + random.nextInt(3);
      case 2 -> -random.nextInt(8);
      case 3 -> old ^ (long) random.nextInt(1, 5) << 56;
      case 4 -> (long) random.nextInt(5) << 56 | random.nextInt(24);
      case 5 -> numbers.number(old);
      default -> old + random.nextInt(5) - 2;
    };
  }

  private void swap(byte[] bytes, List<Integer> positions) {
    if (positions.isEmpty()) {
      return;
    }
    ByteBuffer file = longs(bytes);
    int from = positions.get(random.nextInt(positions.size()));
    int to = positions.get(random.nextInt(positions.size()));
    file.putLong(to, file.getLong(from));
  }

  private static ByteBuffer longs(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
