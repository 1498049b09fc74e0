package org.relaxvm.machine.x64;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One way to encode an instruction. A form is written as {@code "VE.0F.NP.W0.58 RVM v,v,v/m FV4
 * AVX,AVX512F"}: prefixes (legacy, VEX, EVEX; U: without a mask), opcode map, implied prefix, W,
 * opcode and its extension; where each operand goes (reg, modrm.rm, vvvv, immediate, added to the
 * opcode, register in the immediate, nowhere); kinds of operands; size of memory; features of the
 * VEX and of the EVEX encoding. See "Instruction Format" in volume 2 of the Intel 64 manual.
 */
record Form(
    boolean isLegacy,
    boolean hasVex,
    boolean hasEvex,
    int map,
    int prefix,
    W w,
    boolean isLong,
    boolean isMaskable,
    int opcode,
    int extension,
    String roles,
    List<Kind> kinds,
    int memoryOperand,
    Tuple tuple,
    Optional<Feature> vexFeature,
    Optional<Feature> evexFeature,
    String text) {

  /** What bit W says. */
  enum W {
    /** The size of the operation. */
    SIZE,
    /** Nothing: neither W nor the size matter. */
    NONE,
    ZERO,
    ONE,
    /** Ignored in VEX, one in EVEX. */
    EVEX_ONE
  }

  /** Parses all forms of an instruction, separated by semicolons. */
  static List<Form> parseAll(String text) {
    List<Form> forms = new ArrayList<>();
    for (String form : text.split(";", -1)) {
      forms.add(parse(form.strip()));
    }
    return List.copyOf(forms);
  }

  private static Form parse(String text) {
    String[] parts = text.split(" ", -1);
    String[] code = parts[0].split("\\.", -1);
    boolean isLegacy = code[0].equals("L");
    boolean hasVex = code[0].startsWith("V");
    boolean hasEvex = code[0].endsWith("E");
    int map = 0;
    int prefix = 0;
    W w = W.SIZE;
    boolean isLong = false;
    boolean isMaskable = true;
    for (int i = 1; i < code.length - 1; i++) {
      switch (code[i]) {
        case "NP" -> prefix = 0;
        case "66", "F2", "F3", "F0" -> prefix = Integer.parseInt(code[i], 16);
        case "W0" -> w = W.ZERO;
        case "W1" -> w = W.ONE;
        case "WE1" -> w = W.EVEX_ONE;
        case "N" -> w = W.NONE;
        case "L1" -> isLong = true;
        case "U" -> isMaskable = false;
        default -> map = Integer.parseInt(code[i], 16);
      }
    }
    String[] opcode = code[code.length - 1].split("/", -1);
    String roles = parts.length > 1 ? parts[1] : "";
    List<Kind> kinds = new ArrayList<>();
    int memoryOperand = -1;
    if (parts.length > 2) {
      String[] operands = parts[2].split(",", -1);
      for (int i = 0; i < operands.length; i++) {
        boolean isEither = operands[i].endsWith("/m");
        String kind = isEither ? operands[i].substring(0, operands[i].length() - 2) : operands[i];
        kinds.add(Kind.of(kind));
        if (isEither || kind.startsWith("m") || kind.endsWith("m")) {
          memoryOperand = i;
        }
      }
    }
    Tuple tuple = Tuple.NONE;
    String[] features = {};
    for (int i = 3; i < parts.length; i++) {
      if (Tuple.isTuple(parts[i])) {
        tuple = Tuple.of(parts[i]);
      } else {
        features = parts[i].split(",", -1);
      }
    }
    return new Form(
        isLegacy,
        hasVex,
        hasEvex,
        map,
        prefix,
        w,
        isLong,
        hasEvex && isMaskable,
        Integer.parseInt(opcode[0], 16),
        opcode.length > 1 ? Integer.parseInt(opcode[1]) : -1,
        roles,
        List.copyOf(kinds),
        memoryOperand,
        tuple,
        feature(features, 0),
        feature(features, hasVex && hasEvex ? 1 : 0),
        text);
  }

  private static Optional<Feature> feature(String[] names, int index) {
    return index < names.length ? Optional.of(Feature.valueOf(names[index])) : Optional.empty();
  }

  /** Whether the operand may be memory. */
  boolean mayBeMemory(int operand) {
    return operand == memoryOperand;
  }

  /** Whether the operand may be a register or a constant. */
  boolean isMemoryOnly(int operand) {
    return switch (kinds.get(operand)) {
      case M, M1, M2, M4, M8, VM, HM -> true;
      default -> false;
    };
  }

  /** Whether EVEX encodings of less than 512 bits need AVX512VL. */
  boolean needsVectorLengths() {
    for (Kind kind : kinds) {
      if (kind.isVectorOfLength()) {
        return true;
      }
    }
    return false;
  }

  /** Whether lanes that a mask leaves out may become zero: not in memory and not in masks. */
  boolean mayZero(Operand destination) {
    return isMaskable && destination instanceof Vector;
  }

  /** The text of the operands, for messages. */
  String operandText() {
    String[] parts = text.split(" ", -1);
    return parts.length > 2 ? parts[2] : "no operands";
  }
}
