package org.relaxvm.integrationtests.fuzz;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Where the numbers lie in an undamaged executable: those of the file's structure, and the words of
 * its code. Walks the file by itself, so that it does not share the reader's mistakes.
 *
 * <p>Source: docs/spec/executable-format.md, sections 2 and 3.
 */
final class ExecutableLayout {
  private static final long SECOND_MAGIC = 0xD225DE2F4214151EL;

  private final ByteBuffer file;
  private final List<Integer> structure = new ArrayList<>();
  private final List<Integer> offsets = new ArrayList<>();
  private final List<Integer> words = new ArrayList<>();

  private ExecutableLayout(byte[] bytes) {
    this.file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    boolean scopes = number() == SECOND_MAGIC;
    text();
    for (long n = number(); n > 0; n--) {
      function();
    }
    for (long n = scopes ? number() : 0; n > 0; n--) {
      number();
      text();
    }
    for (long n = number(); n > 0; n--) {
      constant();
    }
    list(offsets);
    list(words);
  }

  static ExecutableLayout of(byte[] bytes) {
    return new ExecutableLayout(bytes);
  }

  /** Positions of 64-bit counts, lengths, extents and fields of the function table. */
  List<Integer> structure() {
    return structure;
  }

  /** Positions of the instruction offsets. */
  List<Integer> offsets() {
    return offsets;
  }

  /** Positions of the instruction words. */
  List<Integer> words() {
    return words;
  }

  private void function() {
    file.getInt();
    text();
    for (int field = 0; field < 4; field++) {
      number();
    }
    for (long n = number(); n > 0; n--) {
      text();
    }
  }

  private void constant() {
    int tag = file.getInt();
    switch (tag) {
      case 1, 3 -> number();
      case 5 -> file.getInt();
      case 65 -> text();
      case 69 -> {
        for (long n = number(); n > 0; n--) {
          number();
        }
      }
      case 70 -> tensor();
      default -> throw new IllegalArgumentException("constant tag " + tag);
    }
  }

  private void tensor() {
    number();
    number();
    number();
    structure.add(file.position());
    int rank = file.getInt();
    file.getInt();
    for (int axis = 0; axis < rank; axis++) {
      number();
    }
    skip(number());
  }

  private void list(List<Integer> positions) {
    for (long n = number(); n > 0; n--) {
      positions.add(file.position());
      file.getLong();
    }
  }

  private void text() {
    skip(number());
  }

  private long number() {
    structure.add(file.position());
    return file.getLong();
  }

  private void skip(long bytes) {
    file.position(Math.toIntExact(file.position() + bytes));
  }
}
