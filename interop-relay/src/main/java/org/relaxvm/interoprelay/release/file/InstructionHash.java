package org.relaxvm.interoprelay.release.file;

/**
 * The check word of an instruction.
 *
 * <p>Source: docs/spec/relay-register-vm.md, section 15.3.
 */
final class InstructionHash {
  private static final long GOLDEN_RATIO = 0x9e3779b9L;

  private InstructionHash() {}

  /**
   * Computes the word.
   *
   * @param words hash, opcode and fields; the hash is not read
   */
  static long of(long[] words) {
    long key = words[1];
    for (int i = 2; i < words.length; i++) {
      key ^= words[i] + GOLDEN_RATIO + (key << 6) + (key >>> 2);
    }
    return key;
  }
}
