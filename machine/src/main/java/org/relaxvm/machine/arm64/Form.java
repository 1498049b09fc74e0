package org.relaxvm.machine.arm64;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * One way to encode an instruction. A form is written as {@code "0E208400 Vd.T,Vn.T,Vm.T
 * size=BHSd"}: the opcode in hexadecimal digits; operands, as {@link SlotParser} reads them; the
 * elements that vectors may have, as in {@link Sizes}; a feature that is needed. The letter after
 * the kind of a register is the field that holds its number. An operand that ends in "?" may be
 * missing. Operands whose addresses have several modes stand for one form each: {@code mem4} is
 * memory of 4 bytes with any offset, increment or index, {@code pair8} is that of two registers of
 * 8 bytes, {@code structure} that of a list of registers.
 *
 * @param opcode the bits that do not depend on operands
 * @param slots what the operands may be
 * @param isLastOptional whether the last operand may be missing
 * @param sizes elements of vectors
 * @param feature what the processor needs
 * @param text the operands, for messages
 */
record Form(
    int opcode,
    List<Slot> slots,
    boolean isLastOptional,
    Sizes sizes,
    Optional<Feature> feature,
    String text) {

  /** Bits of addresses of one register, of pairs, and of structures. */
  private static final int SCALED = 0x0100_0000;

  private static final int POST = 0x400;
  private static final int PRE = 0xC00;
  private static final int INDEX = 0x0020_0800;
  private static final int PAIR_INCREMENT = 0x0080_0000;
  private static final int STRUCTURE_BY_REGISTER = 0x0080_0000;
  private static final int STRUCTURE_BY_SIZE = 0x009F_0000;

  private static final int Q = 1 << 30;

  /** Parses all forms of an instruction, separated by semicolons. */
  static List<Form> parseAll(String text) {
    List<Form> forms = new ArrayList<>();
    for (String form : text.split(";", -1)) {
      String[] parts = form.strip().split(" ", 2);
      expand(Integer.parseUnsignedInt(parts[0], 16), parts.length > 1 ? parts[1] : "", forms);
    }
    return List.copyOf(forms);
  }

  private static void expand(int opcode, String text, List<Form> forms) {
    int single = text.indexOf("mem");
    int pair = text.indexOf("pair");
    if (single >= 0) {
      String size = text.substring(single + 3);
      String registers = text.substring(0, single);
      int unscaled = opcode & ~SCALED;
      forms.add(parse(opcode, registers + "u" + size));
      forms.add(parse(unscaled, registers + "s9"));
      forms.add(parse(unscaled | POST, registers + "s9post"));
      forms.add(parse(unscaled | PRE, registers + "s9pre"));
      forms.add(parse(unscaled | INDEX, registers + "index" + size));
    } else if (pair >= 0) {
      String size = text.substring(pair + 4);
      String registers = text.substring(0, pair);
      forms.add(parse(opcode, registers + "p" + size));
      forms.add(parse((opcode & ~SCALED) | PAIR_INCREMENT, registers + "post" + size));
      forms.add(parse(opcode | PAIR_INCREMENT, registers + "pre" + size));
    } else if (text.contains("structure") || text.contains("replicated")) {
      boolean isList = text.contains("structure");
      String name = isList ? "structure" : "replicated";
      forms.add(parse(opcode, text.replace(name, "base")));
      forms.add(
          parse(opcode | STRUCTURE_BY_SIZE, text.replace(name, isList ? "+list" : "+elements")));
      forms.add(parse(opcode | STRUCTURE_BY_REGISTER, text.replace(name, "+Xm")));
    } else {
      forms.add(parse(opcode, text));
    }
  }

  private static Form parse(int opcode, String text) {
    List<Slot> slots = new ArrayList<>();
    Sizes sizes = Sizes.NONE;
    Optional<Feature> feature = Optional.empty();
    boolean isLastOptional = false;
    String operands = "";
    for (String part : text.isEmpty() ? new String[0] : text.split(" ", -1)) {
      if (part.contains("=")) {
        sizes = SlotParser.sizes(part);
      } else if (part.equals(part.toUpperCase(Locale.ROOT)) && !part.contains(",")) {
        feature = Optional.of(Feature.valueOf(part));
      } else {
        operands = part;
        isLastOptional = part.endsWith("?");
        for (String token : part.replace("?", "").split(",", -1)) {
          slots.add(SlotParser.parse(token));
        }
      }
    }
    return new Form(opcode, List.copyOf(slots), isLastOptional, sizes, feature, operands);
  }

  /** The sizes that operands state, if they fit. */
  Optional<Shape> match(Operand[] operands) {
    boolean isCount =
        operands.length == slots.size() || (isLastOptional && operands.length == slots.size() - 1);
    if (!isCount) {
      return Optional.empty();
    }
    for (int i = 0; i < operands.length; i++) {
      if (!slots.get(i).isKind(operands[i])) {
        return Optional.empty();
      }
    }
    Shape shape = Shape.of(this, operands);
    if (!sizes.allow(shape)) {
      return Optional.empty();
    }
    for (int i = 0; i < operands.length; i++) {
      if (!slots.get(i).fits(operands, i, shape)) {
        return Optional.empty();
      }
    }
    return Optional.of(shape);
  }

  /** The instruction with operands of a shape that {@link #match} returned. */
  int encode(Operand[] operands, Shape shape) {
    int word = sizes.apply(opcode, shape);
    for (int i = 0; i < operands.length; i++) {
      Slot slot = slots.get(i);
      word |= slot.encode(operands, i, shape);
      boolean isOfLength =
          (slot instanceof VectorSlot vector && vector.statesLength())
              || (slot instanceof ListSlot list && list.kind() == ListSlot.Kind.VECTORS);
      if (isOfLength && shape.bytes() == 16) {
        word |= Q;
      }
    }
    return word;
  }

  /** What the processor needs for operands of a shape. */
  Optional<Feature> needed(Shape shape) {
    boolean isHalf = shape.floatBits() == 16 || sizes.isHalf(shape);
    return isHalf ? Optional.of(Feature.FP16) : feature;
  }

  /** The operands, for messages. */
  @Override
  public String toString() {
    String name = text.isEmpty() ? "no operands" : text;
    return sizes.equals(Sizes.NONE) ? name : name + " with T of " + sizes;
  }
}
