package org.relaxvm.vmcore.executable;

import java.util.Arrays;
import java.util.List;

/** Instruction words that grow and can be patched. */
final class CodeBuffer {
  private long[] offsets = new long[16];
  private long[] words = new long[64];
  private int instructionCount;
  private int wordCount;

  int instructionCount() {
    return instructionCount;
  }

  void call(long dst, long function, List<Arg> args) {
    begin(Opcode.CALL);
    word(dst);
    word(function);
    word(args.size());
    for (Arg arg : args) {
      word(arg.word());
    }
  }

  void ret(long register) {
    begin(Opcode.RET);
    word(register);
  }

  void jump(long offset) {
    begin(Opcode.GOTO);
    word(offset);
  }

  void branch(long condition, long falseOffset) {
    begin(Opcode.IF);
    word(condition);
    word(falseOffset);
  }

  /** Sets the distance of the jump at {@code instruction}: always the last fixed word. */
  void patchJump(int instruction, long distance) {
    int at = (int) offsets[instruction];
    int fields = Opcode.of(words[at]).orElseThrow().fixedWords();
    words[at + fields - 1] = distance;
  }

  long[] offsets() {
    return Arrays.copyOf(offsets, instructionCount);
  }

  long[] words() {
    return Arrays.copyOf(words, wordCount);
  }

  private void begin(Opcode opcode) {
    if (instructionCount == offsets.length) {
      offsets = Arrays.copyOf(offsets, grown(instructionCount));
    }
    offsets[instructionCount++] = wordCount;
    word(opcode.code());
  }

  private void word(long word) {
    if (wordCount == words.length) {
      words = Arrays.copyOf(words, grown(wordCount));
    }
    words[wordCount++] = word;
  }

  private static int grown(int size) {
    return Math.addExact(size, Math.max(size >> 1, 16));
  }
}
