package org.relaxvm.vmcore.executable;

import java.util.Optional;

/**
 * The instruction table: everything that encoder, decoder, verifier, disassembler and documentation
 * know of an opcode.
 *
 * <p>An instruction is a run of 64-bit words: the opcode, then its fixed fields, then, for a call,
 * as many argument words as the last fixed field says. Source: docs/spec/executable-format.md,
 * section 4.
 */
public enum Opcode {
  /** Calls a function of the table: {@code dst = func(args...)}. */
  CALL(1, "call", 6, true, "dst", "func", "argc"),
  /** Ends the function with a register as its result. */
  RET(2, "ret ", 6, false, "result"),
  /** Jumps by a number of instructions, counted from this one. */
  GOTO(3, "goto", 6, false, "offset"),
  /** Goes on when the condition is not 0, else jumps by {@code falseOffset} instructions. */
  IF(4, "If", 6, false, "cond", "falseOffset");

  private final int code;
  private final String mnemonic;
  private final int mnemonicWidth;
  private final boolean variadic;
  private final String[] fields;

  Opcode(int code, String mnemonic, int mnemonicWidth, boolean variadic, String... fields) {
    this.code = code;
    this.mnemonic = mnemonic;
    this.mnemonicWidth = mnemonicWidth;
    this.variadic = variadic;
    this.fields = fields;
  }

  /** The first word of the instruction. */
  public int code() {
    return code;
  }

  /** The name in listings, as Apache TVM writes it. */
  public String mnemonic() {
    return mnemonic;
  }

  /** The column width of the name in listings. */
  public int mnemonicWidth() {
    return mnemonicWidth;
  }

  /** Whether argument words follow the fixed fields; the last fixed field is then their number. */
  public boolean variadic() {
    return variadic;
  }

  /** The number of words without argument words, the opcode included. */
  public int fixedWords() {
    return 1 + fields.length;
  }

  /** The name of a fixed field, counted from 0 without the opcode. */
  public String field(int index) {
    return fields[index];
  }

  /** The opcode with a number; the whole word must match. */
  public static Optional<Opcode> of(long word) {
    for (Opcode opcode : values()) {
      if (opcode.code == word) {
        return Optional.of(opcode);
      }
    }
    return Optional.empty();
  }
}
