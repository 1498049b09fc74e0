package org.relaxvm.integrationtests.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;

/** Edits of text programs by lines and words, so that many results still parse. */
final class TextMutator {
  private static final String[] WORDS = {
    "%0", "%1", "%7", "%void", "%vm", "i0", "i-1", "c[0]", "c[9]", "f[vm.builtin.copy]", "goto",
    "ret", "if", "call", "in:", "dst:", "-1", "0", "1", "99999999999999999999", "@main(x):", "nan",
    "\"", "#", ",", "regs=16777216", "at=1", "tensor", "float32[2, 2]", "[", "]", "0x1p-1074"
  };

  private final RandomGenerator random;

  TextMutator(RandomGenerator random) {
    this.random = random;
  }

  byte[] mutate(byte[] original) {
    String[] lines = new String(original, StandardCharsets.UTF_8).split("\n", -1);
    for (int edits = 1 + random.nextInt(3); edits > 0; edits--) {
      lines = edit(lines);
    }
    return String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
  }

  private String[] edit(String[] lines) {
    int at = random.nextInt(lines.length);
    int other = random.nextInt(lines.length);
    switch (random.nextInt(5)) {
      case 0 -> lines[at] = lines[other];
      case 1 -> Collections.swap(Arrays.asList(lines), at, other);
      case 2 -> {
        return lines.length < 2 ? lines : without(lines, at);
      }
      default -> lines[at] = word(lines[at]);
    }
    return lines;
  }

  private static String[] without(String[] lines, int at) {
    String[] fewer = Arrays.copyOf(lines, lines.length - 1);
    System.arraycopy(lines, at + 1, fewer, at, fewer.length - at);
    return fewer;
  }

  private String word(String line) {
    List<String> words = Arrays.asList(line.split(" ", -1));
    words.set(random.nextInt(words.size()), WORDS[random.nextInt(WORDS.length)]);
    return String.join(" ", words);
  }
}
