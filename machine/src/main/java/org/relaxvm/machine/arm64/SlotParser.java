package org.relaxvm.machine.arm64;

import java.util.Locale;
import java.util.Map;

/**
 * Reads operands of forms. General-purpose registers are {@code Wd}, {@code Xd} and {@code Rd},
 * which is either; with {@code /sp}, 31 is the stack pointer. Scalars are {@code Bd}, {@code Hd},
 * {@code Sd}, {@code Dd}, {@code Qd}; {@code Fd} of the floating-point types, {@code Td} of an
 * element and {@code Ld} of twice its size. Vectors are {@code Vd.T}, of the lanes of the
 * operation; {@code Vd.W}, wide, of elements twice as large; {@code Vd.P}, of pairs of elements;
 * {@code Vd.*S}, of 64 or 128 bits in elements of 32; {@code Vd.4S}. Elements are {@code Vn.T[5]},
 * {@code Vn.T[4]} and {@code Vm.T[x]}: the index is in five bits, in four, or in H, L and M. Lists
 * of two registers are {@code L2t.T}, of elements {@code E2t.T}. Others have the names below.
 */
final class SlotParser {
  private static final Map<String, Slot> NAMED =
      Map.ofEntries(
          named("aimm", ImmediateSlot.Kind.ARITHMETIC),
          named("bimm", ImmediateSlot.Kind.BITMASK),
          named("imm16", ImmediateSlot.Kind.HALFWORD),
          named("low16", ImmediateSlot.Kind.LOW_HALFWORD),
          named("nzcv", ImmediateSlot.Kind.FLAGS),
          named("imm5", ImmediateSlot.Kind.FIVE_BITS),
          named("bit", ImmediateSlot.Kind.BIT),
          named("immr", ImmediateSlot.Kind.IMMR),
          named("imms", ImmediateSlot.Kind.IMMS),
          named("left", ImmediateSlot.Kind.SHIFT_LEFT),
          named("insert", ImmediateSlot.Kind.INSERT_AT),
          named("extract", ImmediateSlot.Kind.EXTRACT_AT),
          named("inserted", ImmediateSlot.Kind.INSERT_WIDTH),
          named("extracted", ImmediateSlot.Kind.EXTRACT_WIDTH),
          named("shl", ImmediateSlot.Kind.VECTOR_LEFT),
          named("shr", ImmediateSlot.Kind.VECTOR_RIGHT),
          named("shl64", ImmediateSlot.Kind.SCALAR_LEFT),
          named("shr64", ImmediateSlot.Kind.SCALAR_RIGHT),
          named("byte", ImmediateSlot.Kind.BYTE_INDEX),
          named("imm8", ImmediateSlot.Kind.EIGHT_BITS),
          named("bytemask", ImmediateSlot.Kind.BYTE_MASK),
          named("#0", ImmediateSlot.Kind.ZERO),
          named("page", ImmediateSlot.Kind.PAGES),
          named("#0.0", ImmediateSlot.Kind.FLOAT_ZERO),
          named("fimm", ImmediateSlot.Kind.FLOAT_SCALAR),
          named("vfimm", ImmediateSlot.Kind.FLOAT_VECTOR),
          Map.entry("label26", new LabelSlot(LabelSlot.Reach.WORDS26)),
          Map.entry("label19", new LabelSlot(LabelSlot.Reach.WORDS19)),
          Map.entry("label14", new LabelSlot(LabelSlot.Reach.WORDS14)),
          Map.entry("label21", new LabelSlot(LabelSlot.Reach.BYTES21)),
          named("shift", ModifierSlot.Kind.SHIFT),
          named("shift/ror", ModifierSlot.Kind.SHIFT_OR_ROTATION),
          named("extend", ModifierSlot.Kind.EXTENSION),
          named("extend64", ModifierSlot.Kind.EXTENSION_OF_64),
          named("lsl16", ModifierSlot.Kind.HALFWORD),
          named("lsl8", ModifierSlot.Kind.BYTE_OF_2),
          named("lsl24", ModifierSlot.Kind.BYTE_OF_4),
          named("msl", ModifierSlot.Kind.ONES),
          named("cond", NameSlot.Kind.CONDITION),
          named("branchcond", NameSlot.Kind.BRANCH_CONDITION),
          named("negcond", NameSlot.Kind.NEGATED_CONDITION),
          named("barrier", NameSlot.Kind.BARRIER),
          named("prefetch", NameSlot.Kind.PREFETCH),
          named("sysreg", NameSlot.Kind.SYSTEM_REGISTER),
          named("sysregw", NameSlot.Kind.WRITABLE_SYSTEM_REGISTER),
          named("base", MemorySlot.Mode.BASE),
          named("s9", MemorySlot.Mode.SIGNED),
          named("s9pre", MemorySlot.Mode.SIGNED_PRE),
          named("s9post", MemorySlot.Mode.SIGNED_POST),
          named("+list", MemorySlot.Mode.POST_LIST),
          named("+elements", MemorySlot.Mode.POST_ELEMENTS),
          named("+Xm", MemorySlot.Mode.POST_REGISTER));

  private SlotParser() {}

  private static Map.Entry<String, Slot> named(String name, ImmediateSlot.Kind kind) {
    return Map.entry(name, new ImmediateSlot(kind));
  }

  private static Map.Entry<String, Slot> named(String name, ModifierSlot.Kind kind) {
    return Map.entry(name, new ModifierSlot(kind));
  }

  private static Map.Entry<String, Slot> named(String name, NameSlot.Kind kind) {
    return Map.entry(name, new NameSlot(kind));
  }

  private static Map.Entry<String, Slot> named(String name, MemorySlot.Mode mode) {
    return Map.entry(name, new MemorySlot(mode, 0));
  }

  /** The slot of one operand. Without regular expressions, which take long when first used. */
  static Slot parse(String token) {
    Slot named = NAMED.get(token);
    if (named != null) {
      return named;
    }
    char kind = token.charAt(0);
    String following = token.substring(1);
    return switch (kind) {
      case 'R' -> general(0, following);
      case 'W' -> general(32, following);
      case 'X' -> general(64, following);
      case 'V' -> vector(following);
      case 'B', 'H', 'S', 'D', 'Q' ->
          new ScalarSlot(multiplier(following), ScalarSlot.Size.FIXED, 8 << "BHSDQ".indexOf(kind));
      case 'F' -> new ScalarSlot(multiplier(following), ScalarSlot.Size.FLOAT, 0);
      case 'T' -> new ScalarSlot(multiplier(following), ScalarSlot.Size.ELEMENT, 0);
      case 'L' ->
          Character.isDigit(token.charAt(1))
              ? list(following, ListSlot.Kind.VECTORS)
              : new ScalarSlot(multiplier(following), ScalarSlot.Size.LONG, 0);
      case 'E' -> list(following, ListSlot.Kind.ELEMENTS);
      default -> memory(token);
    };
  }

  /** A general-purpose register, such as {@code d/sp} of 64 bits. */
  private static Slot general(int bits, String text) {
    boolean isStackPointer = text.endsWith("/sp");
    String field = isStackPointer ? text.substring(0, text.length() - 3) : text;
    return new GpSlot(multiplier(field), bits, isStackPointer);
  }

  /** A vector or an element, such as {@code d.T}, {@code d.*S}, {@code d.4S}, {@code n.T[5]}. */
  private static Slot vector(String text) {
    int dot = text.indexOf('.');
    int multiplier = multiplier(text.substring(0, dot));
    String lanes = text.substring(dot + 1);
    if (lanes.endsWith("]")) {
      return element(multiplier, lanes);
    }
    String count = lanes.substring(0, lanes.length() - 1);
    char size = lanes.charAt(lanes.length() - 1);
    int elementBytes = 1 << Math.max(0, "BHSD".indexOf(size));
    return switch (size) {
      case 'T' -> new VectorSlot(multiplier, VectorSlot.Lanes.SAME, 0, 0);
      case 'W' -> new VectorSlot(multiplier, VectorSlot.Lanes.WIDE, 0, 0);
      case 'P' -> new VectorSlot(multiplier, VectorSlot.Lanes.PAIRS, 0, 0);
      default ->
          count.equals("*")
              ? new VectorSlot(multiplier, VectorSlot.Lanes.ELEMENTS, elementBytes, 0)
              : new VectorSlot(
                  multiplier,
                  VectorSlot.Lanes.FIXED,
                  elementBytes,
                  elementBytes * Integer.parseInt(count));
    };
  }

  /** An element, such as {@code T[5]} and {@code 4B[x]}. */
  private static Slot element(int multiplier, String text) {
    int bracket = text.indexOf('[');
    Element.Kind kind =
        switch (text.substring(0, bracket)) {
          case "T" -> null;
          case "4B" -> Element.Kind.B4;
          case "2H" -> Element.Kind.H2;
          default -> Element.Kind.valueOf(text.substring(0, bracket));
        };
    ElementSlot.Field field =
        switch (text.charAt(bracket + 1)) {
          case '5' -> ElementSlot.Field.FIVE_BITS;
          case '4' -> ElementSlot.Field.FOUR_BITS;
          default -> ElementSlot.Field.HLM;
        };
    return new ElementSlot(multiplier, kind, field);
  }

  /** A list of registers, such as {@code 2t.T} and {@code 2n.16B}. */
  private static Slot list(String text, ListSlot.Kind kind) {
    int multiplier = multiplier(text.substring(1, text.indexOf('.')));
    boolean isTable = text.endsWith("16B");
    return new ListSlot(text.charAt(0) - '0', multiplier, isTable ? ListSlot.Kind.TABLE : kind);
  }

  /**
   * Memory of a size, such as {@code u8}, {@code p8}, {@code pre8}, {@code post8}, {@code index8}.
   */
  private static Slot memory(String text) {
    int digits = text.length();
    while (digits > 0 && Character.isDigit(text.charAt(digits - 1))) {
      digits--;
    }
    MemorySlot.Mode mode =
        switch (text.substring(0, digits)) {
          case "u" -> MemorySlot.Mode.UNSIGNED;
          case "p" -> MemorySlot.Mode.PAIR;
          case "pre" -> MemorySlot.Mode.PAIR_PRE;
          case "post" -> MemorySlot.Mode.PAIR_POST;
          case "index" -> MemorySlot.Mode.INDEX;
          default ->
              throw new IllegalArgumentException("there is no kind of operand '" + text + "'");
        };
    return new MemorySlot(mode, Integer.parseInt(text.substring(digits)));
  }

  /** The elements of vectors, such as {@code size=BHSd}. */
  static Sizes sizes(String text) {
    int equals = text.indexOf('=');
    boolean isShort = text.endsWith("/64");
    return new Sizes(
        Sizes.Field.valueOf(text.substring(0, equals).toUpperCase(Locale.ROOT)),
        text.substring(equals + 1, text.length() - (isShort ? 3 : 0)),
        isShort);
  }

  /** What the number of a register is multiplied by to be in its field, or in both of two. */
  private static int multiplier(String field) {
    return switch (field) {
      case "d", "t" -> 1;
      case "n" -> 1 << 5;
      case "m", "s" -> 1 << 16;
      case "nm" -> 1 << 5 | 1 << 16;
      case "a", "t2" -> 1 << 10;
      default -> throw new IllegalArgumentException("there is no field '" + field + "'");
    };
  }
}
