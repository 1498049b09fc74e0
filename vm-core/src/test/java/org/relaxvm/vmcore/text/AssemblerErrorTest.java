package org.relaxvm.vmcore.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.MalformedFileException;

/** Every refusal: location, line, what was expected, what came. */
class AssemblerErrorTest {
  private static void refuses(String text, String message) {
    assertThatThrownBy(() -> Assembler.parse(text))
        .isInstanceOf(MalformedFileException.class)
        .hasMessage(message);
  }

  /** For texts of one body line, the second. */
  private static void refusesLine(String line, int column, String message) {
    refuses(
        "@main(x):\n" + line + "\n",
        "line 2, column "
            + column
            + ": "
            + message
            + "\n  2 | "
            + line
            + "\n"
            + " ".repeat(5 + column)
            + "^");
  }

  @Test
  void linesOfABody() {
    refusesLine("  ret foo", 7, "expected a register such as %0, but got 'foo'");
    refusesLine(
        "  retun %0",
        3, "expected an instruction (call, ret, goto, if) or a label with ':', but got 'retun'");
    refusesLine("  ret %0 %1", 10, "expected the end of the line, but got '%'");
    refusesLine("  ret", 6, "expected a register such as %0, but got the end of the line");
    refusesLine("  call f in: %0 %1", 17, "expected ',' or 'dst:' after an argument, but got '%'");
    refusesLine(
        "  call f in: =",
        14,
        "expected an argument: %0, %vm, %void, i5, c[0], f[name] or a constant, but got '='");
    refusesLine(
        "  call f in: c[0]", 16, "there is no constant c[0]: the pool has 0 entries so far");
    refusesLine(
        "  call f in: i36028797018963968",
        14,
        "the immediate i36028797018963968 is not in -(2^55-1) to 2^55-1");
    refusesLine("  ret %18014398509481984", 8, "the register %18014398509481984 is not below 2^54");
    refusesLine("  ret %-1", 8, "expected the number of a register, 'vm' or 'void', but got -1");
    refusesLine("  goto end", 8, "function 'main' has no label 'end'; it has none");
    refusesLine(
        "  call f in: \"abc",
        14,
        "this string does not end on its line: expected a" + " closing \"");
    refusesLine(
        "  call f in: \"\\q\"",
        15,
        "unknown escape: expected one of \\n, \\r, \\t, \\\", \\\\ and \\uXXXX");
    refusesLine("  ret %0 ;x&", 12, "unexpected character '&'");
  }

  @Test
  void inlineConstants() {
    refusesLine(
        "  call f in: shape[2", 21, "expected ',' or ']' in a shape, but got the end of the line");
    refusesLine(
        "  call f in: dtype flaot32",
        20,
        "unknown dtype 'flaot32'\n  expected: a name such as float32, int64, uint8, bool, bfloat16"
            + " or float8_e4m3fn, optionally with lanes such as x4");
    refusesLine(
        "  call f in: tensor int8[2] = [1]", 25, "shape [2] has 2 elements, but 1 are given");
    refusesLine(
        "  call f in: tensor int8[1] = [128]", 32, "expected an element of int8, but got '128'");
    refusesLine(
        "  call f in: tensor int8[1000000000000] = []",
        25,
        "shape [1000000000000] has 1000000000000 elements, but 0 are given");
    refusesLine(
        "  call f in: tensor int8[-1] = []",
        25,
        "shape [-1] has a negative extent and so no element count");
    refusesLine(
        "  call f in: tensor int8[2] base64 \"AQ==\"", 25, "int8[2] has 2 bytes, but 1 are given");
    refusesLine(
        "  call f in: 1e999", 14, "expected an integer of 64 bits or a double, but got '1e999'");
    refusesLine(
        "  call f in: 12x", 14, "expected an integer of 64 bits or a double, but got '12x'");
  }

  @Test
  void headersAndSections() {
    refuses(
        "@main:\n",
        """
        line 1, column 6: expected the parameters, such as '(x, y)', '(2)' or '()', since a plain \
        listing does not tell them, but got ':'
          1 | @main:
                   ^\
        """);
    refuses(
        "@f packed_func;\n@f packed_func;\n",
        """
        line 2, column 2: function 'f' has a header already; names are unique
          2 | @f packed_func;
               ^\
        """);
    refuses(
        "constants:\n  c[1] = 5\n",
        """
        line 2, column 5: expected c[0], since constants are numbered in order, but got '1'
          2 |   c[1] = 5
                  ^\
        """);
    refuses(
        "@f(x) size=3:\n",
        """
        line 1, column 7: expected num_inputs=, regs= or at=, but got 'size'
          1 | @f(x) size=3:
                    ^\
        """);
    refuses(
        "@f(x) at=1:\n ret %0\n",
        """
        line 1, column 2: at=1 leaves a gap or overlaps: the bodies before end at 0
          1 | @f(x) at=1:
               ^\
        """);
    refuses(
        "hello\n",
        """
        line 1, column 1: expected '@' and the name of a function, but got 'hello'
          1 | hello
              ^\
        """);
  }

  @Test
  void newerVersion() {
    refuses(
        "# made by a later release\nrelaxvm-text 2\n& new syntax\n",
        """
        line 2, column 14: this text is of version '2', but version 1 is read; update RelaxVM, or \
        write the program in that version
          2 | relaxvm-text 2
                           ^\
        """);
  }

  @Test
  void longLinesAreShownInPart() {
    String text = "@main(x):\n call f in: " + "%0, ".repeat(100_000) + "=\n";
    assertThatThrownBy(() -> Assembler.parse(text))
        .isInstanceOf(MalformedFileException.class)
        .hasMessageStartingWith("line 2, column 400013: expected an argument")
        .satisfies(e -> assertThat(e.toString().length()).isLessThan(600));
  }

  @Test
  void deepOrLongTextNeedsNoStack() {
    Assembler.parse("\n#x\n".repeat(200_000) + "@main():\n" + "a:\n".repeat(0));
    refuses(
        "[".repeat(10),
        """
        line 1, column 1: expected '@' and the name of a function, but got '['
          1 | [[[[[[[[[[
              ^\
        """);
  }

  @Test
  void damagedTextIsReadOrRefusedButNeverCrashes() {
    String text =
        """
        relaxvm-text 1
        constants:
          c[0] = tensor float32[2] = [1.0, nan]
          c[1] = "a\\n" scope "global"
          c[2] = tensor int8[2] base64 "AQI="
        @main(x, "y") regs=5:
          call f in: %0, i-1, c[0], f[g], 1.5, shape[2, 3], dtype int8x4 dst: %2
        back:
          if %1 back
          ret %2
        @g num_inputs=2 vm_tir_func;
        """;
    long seed = Long.getLong("relaxvm.seed", System.nanoTime());
    System.out.println("relaxvm.seed=" + seed);
    Random random = new Random(seed);
    String alphabet = "@%:;,()[]=\"\\-+.#/ \n\tx0i9e\u00e9";
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      StringBuilder damaged = new StringBuilder(text);
      for (int j = random.nextInt(3); j >= 0; j--) {
        int at = random.nextInt(damaged.length());
        char c = alphabet.charAt(random.nextInt(alphabet.length()));
        switch (random.nextInt(3)) {
          case 0 -> damaged.setCharAt(at, c);
          case 1 -> damaged.insert(at, c);
          default -> damaged.setLength(Math.max(1, at));
        }
      }
      try {
        Assembler.parse(damaged.toString());
      } catch (MalformedFileException e) {
        assertThat(e.getMessage()).startsWith("line ");
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(5_000);
  }
}
