package org.relaxvm.machine.arm64;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Writes AArch64 machine code. Every instruction has four bytes. Constants are placed after the
 * code, or where {@link #placeConstants} is called. Code is position-independent.
 *
 * <p>For one thread.
 */
public final class Assembler {
  private static final int NOP = 0xD503_201F;
  private static final int LARGEST_ALIGNMENT = 64;

  private record Constant(ByteBuffer bytes, int alignment) {}

  /** A label in an instruction. */
  private record Fixup(int position, Label label, LabelSlot.Reach reach, Instruction instruction) {}

  private final Set<Feature> features;
  private final CodeBuffer code = new CodeBuffer();
  private final Listing listing = new Listing();
  private final boolean isListed;
  private final List<Fixup> fixups = new ArrayList<>();
  private final Map<Constant, Label> constants = new LinkedHashMap<>();
  private int labels;
  private int constantLabels;
  private boolean isFinished;

  private Assembler(Set<Feature> features, boolean isListed) {
    this.features = features.isEmpty() ? Set.of() : EnumSet.copyOf(features);
    this.isListed = isListed;
  }

  /** An assembler that uses no instruction of other features. */
  public static Assembler of(Set<Feature> features) {
    return new Assembler(features, false);
  }

  /** As {@link #of}, and {@link #listing} has the text of what is written. */
  public static Assembler withListing(Set<Feature> features) {
    return new Assembler(features, true);
  }

  /**
   * Writes an instruction. Labels may be bound before or after.
   *
   * @param operands in the order of the manual: the destination first, except of stores
   * @throws IllegalArgumentException if it has no form with such operands, if the features do not
   *     allow it, or if the architecture leaves its result open
   */
  public void emit(Instruction instruction, Operand... operands) {
    for (Form form : instruction.forms()) {
      Optional<Shape> shape = form.match(operands);
      if (shape.isEmpty()) {
        continue;
      }
      Optional<Feature> needed = form.needed(shape.get());
      if (needed.isPresent() && !features.contains(needed.get())) {
        throw new IllegalArgumentException(
            "%s %s needs %s, but code is assembled for %s"
                .formatted(instruction, text(operands), needed.get(), features));
      }
      checkRegisters(instruction, operands);
      if (isListed) {
        listing.instruction(instruction, operands, code.size());
      }
      for (int i = 0; i < operands.length; i++) {
        if (operands[i] instanceof Label label && form.slots().get(i) instanceof LabelSlot slot) {
          fixups.add(new Fixup(code.size(), label, slot.reach(), instruction));
        }
      }
      code.put(form.encode(operands, shape.get()));
      return;
    }
    throw new IllegalArgumentException(
        "%s has no form with the operands %s; it has %s"
            .formatted(
                instruction,
                operands.length == 0 ? "none" : text(operands),
                instruction.forms().stream()
                    .map(Form::toString)
                    .distinct()
                    .collect(Collectors.joining("; "))));
  }

  private static String text(Operand[] operands) {
    return Arrays.stream(operands).map(Object::toString).collect(Collectors.joining(", "));
  }

  /** Refuses registers whose use the architecture leaves open. */
  private static void checkRegisters(Instruction instruction, Operand[] operands) {
    Operand last = operands.length == 0 ? Gp.XZR : operands[operands.length - 1];
    if (last instanceof Address address && address.mode() != Address.Mode.OFFSET) {
      for (Operand other : operands) {
        if (other instanceof Gp gp && gp.low(64).equals(address.base())) {
          throw new IllegalArgumentException(
              "%s %s changes the base of its address, which is also loaded or stored; use another"
                      .formatted(instruction, text(operands))
                  + " register");
        }
      }
    }
    if (instruction.storesExclusively()
        && operands[0] instanceof Gp status
        && operands[1] instanceof Gp stored
        && last instanceof Address address
        && (status.low(64).equals(stored.low(64)) || status.low(64).equals(address.base()))) {
      throw new IllegalArgumentException(
          "%s %s writes its status to a register that it stores or that is its base; use another"
                  .formatted(instruction, text(operands))
              + " register");
    }
    if (instruction.loadsPair() && operands[0].equals(operands[1])) {
      throw new IllegalArgumentException(
          "%s %s loads one register twice; use two registers"
              .formatted(instruction, text(operands)));
    }
  }

  /**
   * Writes a conditional branch whose label may be farther away than the instruction reaches: the
   * opposite branch over an unconditional one, which reaches 128 MiB.
   *
   * @param instruction b.cond, cbz, cbnz, tbz or tbnz
   * @param operands as in {@link #emit}; the label is the last
   * @throws IllegalArgumentException as in {@link #emit}, or for other instructions
   */
  public void emitFar(Instruction instruction, Operand... operands) {
    Operand[] opposite = operands.clone();
    Instruction inverted =
        switch (instruction) {
          case B_COND -> Instruction.B_COND;
          case CBZ -> Instruction.CBNZ;
          case CBNZ -> Instruction.CBZ;
          case TBZ -> Instruction.TBNZ;
          case TBNZ -> Instruction.TBZ;
          default ->
              throw new IllegalArgumentException(
                  "%s is no conditional branch; use b.cond, cbz, cbnz, tbz or tbnz"
                      .formatted(instruction));
        };
    if (instruction == Instruction.B_COND && operands[0] instanceof Condition condition) {
      opposite[0] = condition.negated();
    }
    Label after = label();
    opposite[operands.length - 1] = after;
    emit(inverted, opposite);
    emit(Instruction.B, operands[operands.length - 1]);
    bind(after);
  }

  /**
   * Loads a constant into a register with the fewest instructions: one to four.
   *
   * @param to a register other than the stack pointer
   * @param value the constant; for a register of 32 bits, signed or unsigned
   * @throws IllegalArgumentException if the value does not fit, or for the stack pointer
   */
  public void move(Gp to, long value) {
    if (to.isStackPointer()) {
      throw new IllegalArgumentException(
          "no constant is moved to " + to + "; move it to another register, and add that");
    }
    if (to.bits() == 32 && value != (int) value && value != (value & 0xFFFF_FFFFL)) {
      throw new IllegalArgumentException(
          "the constant %d has more than the 32 bits of %s; use a 64-bit register"
              .formatted(value, to));
    }
    for (MoveSequence.Step step : MoveSequence.of(value, to.bits())) {
      Immediate constant = Immediate.of(step.value());
      if (step.instruction() == Instruction.ORR) {
        emit(Instruction.ORR, to, to.bits() == 64 ? Gp.XZR : Gp.WZR, constant);
      } else if (step.shift() == 0) {
        emit(step.instruction(), to, constant);
      } else {
        emit(step.instruction(), to, constant, Modifier.lsl(step.shift()));
      }
    }
  }

  /** The features that instructions may need. */
  public Set<Feature> features() {
    return Set.copyOf(features);
  }

  /** A new label, not bound yet. */
  public Label label() {
    return new Label(".L" + labels++);
  }

  /** Binds a label to the position of the next instruction. */
  public void bind(Label label) {
    label.bind(code.size());
    if (isListed) {
      listing.label(label);
    }
  }

  /** Fills with instructions that do nothing, up to a multiple of {@code alignment} bytes. */
  public void align(int alignment) {
    checkAlignment(alignment);
    while (code.size() % alignment != 0) {
      code.put(NOP);
    }
    if (isListed) {
      listing.add(".p2align " + Integer.numberOfTrailingZeros(alignment));
    }
  }

  private static void checkAlignment(int alignment) {
    if (Integer.bitCount(alignment) != 1 || alignment < 4 || alignment > LARGEST_ALIGNMENT) {
      throw new IllegalArgumentException(
          "an alignment is a power of two from 4 to %d, but got %d"
              .formatted(LARGEST_ALIGNMENT, alignment));
    }
  }

  /**
   * The label of constant bytes, which {@link Instruction#LDR} loads if they are at most 1 MiB
   * away. Equal bytes are placed once.
   *
   * @param alignment a power of two from 4 to 64
   */
  public Label constant(byte[] bytes, int alignment) {
    checkAlignment(alignment);
    return constants.computeIfAbsent(
        new Constant(ByteBuffer.wrap(bytes.clone()), alignment),
        key -> new Label(".C" + constantLabels++));
  }

  /**
   * Places the constants so far at the next position, which execution must not reach. For code of
   * more than 1 MiB; {@link #finish} places those that remain.
   */
  public void placeConstants() {
    constants.forEach(
        (constant, label) -> {
          while (code.size() % constant.alignment() != 0) {
            code.put(0);
          }
          if (isListed) {
            listing.add(".balign " + constant.alignment() + ", 0");
          }
          bind(label);
          code.putAll(constant.bytes().array());
          if (isListed) {
            listing.add(".byte " + hex(constant.bytes().array()));
            listing.add(".balign 4, 0");
          }
        });
    constants.clear();
  }

  /** Bytes written so far, constants not included that are not placed yet. */
  public int size() {
    return code.size();
  }

  /**
   * The code and its constants. The first byte has to be at a multiple of 64 bytes. Ends the use of
   * this assembler, except of {@link #listing}.
   *
   * @throws IllegalStateException if a label that is used was not bound, or is farther away than an
   *     instruction reaches
   */
  public byte[] finish() {
    placeConstants();
    for (Fixup fixup : fixups) {
      int distance = fixup.label().position() - fixup.position();
      LabelSlot.Reach reach = fixup.reach();
      if (distance < reach.smallest() || distance > reach.largest()) {
        throw new IllegalStateException(
            "%s at offset %d is %d bytes away from the label %s, but reaches %d to %d bytes; %s"
                .formatted(
                    fixup.instruction(),
                    fixup.position(),
                    distance,
                    fixup.label(),
                    reach.smallest(),
                    reach.largest(),
                    fixup.instruction().farther()));
      }
      code.set(fixup.position(), reach.encode(distance));
    }
    isFinished = true;
    return code.bytes();
  }

  private static String hex(byte[] bytes) {
    List<String> values = new ArrayList<>();
    for (byte value : bytes) {
      values.add("0x%02x".formatted(value & 0xFF));
    }
    return String.join(", ", values);
  }

  /**
   * The text of what was written, which the GNU assembler reads: an instruction a line, with its
   * offset and its bits.
   *
   * @throws IllegalStateException if this assembler is none {@link #withListing}, or before {@link
   *     #finish}
   */
  public String listing() {
    if (!isListed || !isFinished) {
      throw new IllegalStateException(
          isListed
              ? "the distances of labels are not known yet; call finish() first"
              : "the assembler was made without a listing");
    }
    return listing.text(code);
  }
}
