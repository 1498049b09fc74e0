package org.relaxvm.vmcore.executable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.relaxvm.vmcore.verify.Rule;

/** Renders {@code docs/bytecode.md} from the instruction table. */
final class BytecodeDocument {
  private static final String HEAD =
      """
      # Bytecode

      <!-- Rendered from the instruction table by BytecodeDocumentTest; do not edit. -->

      A function is a sequence of instructions with its own registers. All computation happens in
      the functions that it calls; the instructions only call, branch and return. Registers `0` to
      `n - 1` hold the arguments of a function of `n` parameters when it starts; all others hold
      null.

      An instruction is a sequence of signed 64-bit words: the opcode, then its fields. A separate
      table holds the first word of each instruction. Jump offsets count instructions, relative to
      the jump itself. On disk every word is little-endian.

      ## Instructions

      | opcode | number | words | length | meaning |
      | --- | --- | --- | --- | --- |
      """;

  private static final String FIELDS =
      """

      `dst`, `result` and `cond` are plain register numbers and `func` is a plain index of the
      function table. Only the arguments of a call carry a tag.

      ## Arguments

      The top 8 bits of an argument word are its kind, the 56 bits below are its signed value, of
      at most %s in magnitude.

      | kind | tag | in listings | example | word | meaning |
      | --- | --- | --- | --- | --- | --- |
      """;

  private static final String SPECIAL =
      """

      The tag of a register is 0, so its word is its number. Two registers are special:

      | register | number | listed as | as an argument | as a destination | as a result |
      | --- | --- | --- | --- | --- | --- |
      | void | `%s` | `%%void` | null | the result is dropped | null |
      | VM | `%s` | `%%vm` | the VM's context, for builtins | refused | refused |

      ## Listings

      Each line is the mnemonic in a column of %d characters, then the fields. The worked example
      of the format:

      ```
      %s```

      ## Verification

      A program is verified once, before it can run. Each finding names the rule, the function, the
      instruction, the expected and the actual value. The rules:

      %s\
      """;

  private BytecodeDocument() {}

  static String render() {
    StringBuilder text = new StringBuilder(HEAD);
    for (Opcode opcode : Opcode.values()) {
      text.append(row(opcode));
    }
    text.append(FIELDS.formatted("2<sup>55</sup> - 1"));
    for (ArgKind kind : ArgKind.values()) {
      text.append(row(kind));
    }
    Executable example = ExecutableReader.read(WorkedExample.bytes());
    return text.append(
            SPECIAL.formatted(
                hex(Arg.VOID_REGISTER),
                hex(Arg.VM_REGISTER),
                Opcode.CALL.mnemonicWidth(),
                InstructionText.listing(example),
                rules()))
        .toString();
  }

  private static String row(Opcode opcode) {
    List<String> words = new ArrayList<>(List.of(Integer.toString(opcode.code())));
    for (int i = 0; i < opcode.fixedWords() - 1; i++) {
      words.add(opcode.field(i));
    }
    String length = Integer.toString(opcode.fixedWords());
    if (opcode.variadic()) {
      words.add("args...");
      length += " + " + opcode.field(opcode.fixedWords() - 2);
    }
    String meaning =
        switch (opcode) {
          case CALL -> "calls entry `func` of the function table and stores its result in `dst`";
          case RET -> "ends the function; `result` goes to the caller";
          case GOTO -> "jumps by `offset` instructions; backward is legal, 0 is not";
          case IF ->
              "continues with the next instruction if `cond` is not 0, else jumps by"
                  + " `falseOffset` instructions, 2 or more";
        };
    return tableRow(
        "`" + opcode.mnemonic().strip() + "`",
        Integer.toString(opcode.code()),
        "`" + String.join(", ", words) + "`",
        length,
        meaning);
  }

  private static String row(ArgKind kind) {
    Arg example =
        switch (kind) {
          case REGISTER -> Arg.register(5);
          case IMMEDIATE -> Arg.immediate(-1);
          case CONSTANT -> Arg.constant(3);
          case FUNCTION -> Arg.function(7);
        };
    String meaning =
        switch (kind) {
          case REGISTER -> "the content of a register of the function";
          case IMMEDIATE -> "an integer";
          case CONSTANT ->
              "an entry of the constant pool: tensor, shape, string, integer, float or data type";
          case FUNCTION -> "an entry of the function table as a value";
        };
    String listed =
        switch (kind) {
          case REGISTER -> "%5";
          case IMMEDIATE -> "i-1";
          case CONSTANT -> "c[3]";
          case FUNCTION -> "f[name]";
        };
    return tableRow(
        kind.name().toLowerCase(Locale.ROOT),
        Integer.toString(kind.ordinal()),
        "`" + listed + "`",
        Long.toString(example.value()),
        "`" + hex(example.word()) + "`",
        meaning);
  }

  private static String rules() {
    return Arrays.stream(Rule.values())
        .filter(rule -> rule != Rule.MORE_FINDINGS)
        .map(rule -> "- **" + rule.title() + "**: " + rule.demand() + ".\n")
        .collect(Collectors.joining());
  }

  private static String tableRow(String... cells) {
    return "| " + String.join(" | ", cells) + " |\n";
  }

  private static String hex(long word) {
    return "%016X".formatted(word);
  }
}
