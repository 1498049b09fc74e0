package org.relaxvm.integrationtests.fuzz;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Edits of single fields of instructions to values that are mostly legal, so that many results pass
 * the verifier and do something else than the original.
 */
final class CodeMutator {
  private static final long VOID_REGISTER = 1L << 54;
  private static final int REGISTERS = 12;
  private static final int FUNCTIONS = 20;
  private static final int CONSTANTS = 8;
  private static final int FARTHEST_JUMP = 8;

  private final RandomGenerator random;

  CodeMutator(RandomGenerator random) {
    this.random = random;
  }

  /** One to three edits, in place. */
  void mutate(byte[] bytes, ExecutableLayout layout) {
    ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int edits = 1 + random.nextInt(3); edits > 0; edits--) {
      List<Integer> offsets = layout.offsets();
      if (!offsets.isEmpty()) {
        int word = (int) file.getLong(offsets.get(random.nextInt(offsets.size())));
        // An edit before may have changed what lies here; then any word will do.
        instruction(file, layout.words().get(Math.clamp(word, 0, layout.words().size() - 1)));
      }
    }
  }

  private void instruction(ByteBuffer file, int at) {
    if (at + 3 * Long.BYTES > file.limit()) {
      return;
    }
    switch ((int) file.getLong(at)) {
      case 1 -> call(file, at);
      case 2 -> put(file, at, 1, register());
      case 3 -> put(file, at, 1, random.nextInt(2 * FARTHEST_JUMP) - (long) FARTHEST_JUMP);
      default -> {
        boolean condition = random.nextBoolean();
        put(file, at, condition ? 1 : 2, condition ? register() : 2 + random.nextInt(4));
      }
    }
  }

  private void call(ByteBuffer file, int at) {
    long count = at + 4 * Long.BYTES > file.limit() ? 0 : file.getLong(at + 3 * Long.BYTES);
    switch (random.nextInt(5)) {
      case 0 -> put(file, at, 1, register());
      case 1 -> put(file, at, 2, random.nextInt(FUNCTIONS));
      default -> {
        if (count > 0 && count < 100) {
          put(file, at, 4 + random.nextInt((int) count), argument());
        }
      }
    }
  }

  private long register() {
    return random.nextInt(8) == 0 ? VOID_REGISTER + random.nextInt(2) : random.nextInt(REGISTERS);
  }

  private long argument() {
    return switch (random.nextInt(5)) {
      case 0 -> 1L << 56 | random.nextInt(8);
      case 1 -> 1L << 56 | (random.nextLong() & ((1L << 55) - 1)) >>> random.nextInt(55);
      case 2 -> 2L << 56 | random.nextInt(CONSTANTS);
      case 3 -> 3L << 56 | random.nextInt(FUNCTIONS);
      default -> register();
    };
  }

  private static void put(ByteBuffer file, int at, int word, long value) {
    int position = at + word * Long.BYTES;
    if (position + Long.BYTES <= file.limit()) {
      file.putLong(position, value);
    }
  }
}
