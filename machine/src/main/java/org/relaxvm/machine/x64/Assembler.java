package org.relaxvm.machine.x64;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes x86-64 machine code in one pass. Instructions have VEX prefixes where these can express
 * the operands and the processor has them, else EVEX prefixes. Constants are placed after the code.
 * Code is position-independent.
 *
 * <p>For one thread.
 */
public final class Assembler {
  private static final int LARGEST_ALIGNMENT = 64;

  private record Constant(ByteBuffer bytes, int alignment) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Constant constant
          && alignment == constant.alignment
          && bytes.equals(constant.bytes);
    }

    @Override
    public int hashCode() {
      return 31 * bytes.hashCode() + alignment;
    }
  }

  private final Set<Feature> features;
  private final CodeBuffer code = new CodeBuffer();
  private final Encoder encoder;
  private final Listing listing = new Listing();
  private final boolean isListed;
  private final Map<Constant, Label> constants = new LinkedHashMap<>();
  private int labels;

  private Assembler(Set<Feature> features, boolean isListed) {
    this.features = features.isEmpty() ? Set.of() : EnumSet.copyOf(features);
    this.isListed = isListed;
    encoder = new Encoder(this.features, code);
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
   * Writes an instruction.
   *
   * @param operands in the order of Intel syntax: the destination first
   * @throws IllegalArgumentException if it has no form with such operands, or none that the
   *     features allow
   */
  public void emit(Instruction instruction, Operand... operands) {
    emit(instruction, Masking.ALL, operands);
  }

  /**
   * Writes an instruction of AVX-512 that computes the lanes of a mask.
   *
   * @param mask k1 to k7
   * @param isZeroing whether other lanes of the destination become zero; otherwise they are kept
   * @param operands the destination first
   * @throws IllegalArgumentException as {@link #emit(Instruction, Operand...)}, or if the mask is
   *     k0
   */
  public void emitMasked(
      Instruction instruction, Mask mask, boolean isZeroing, Operand... operands) {
    if (mask.number() == 0) {
      throw new IllegalArgumentException(
          "k0 is no mask of an instruction, as its number stands for all lanes; use k1 to k7");
    }
    emit(instruction, new Masking(mask, isZeroing), operands);
  }

  private void emit(Instruction instruction, Masking masking, Operand... operands) {
    Match refused = null;
    for (Form form : instruction.forms()) {
      boolean isRefused =
          (masking.isMasked() && !form.isMaskable())
              || (masking.isZeroing() && !form.mayZero(operands[0]));
      if (isRefused) {
        continue;
      }
      Match match = Match.of(form, operands);
      if (match == null) {
        continue;
      }
      if (encoder.allows(match, operands, masking)) {
        boolean isVex = encoder.encode(match, operands, masking);
        if (isListed) {
          listing.instruction(instruction, match, operands, masking, isVex);
        }
        return;
      }
      refused = match;
    }
    String given = Arrays.toString(operands).replace("[", "").replace("]", "") + masking;
    if (refused != null) {
      throw new IllegalArgumentException(
          "%s %s needs %s, but code is assembled for %s"
              .formatted(instruction, given, needed(refused.form()), features));
    }
    throw new IllegalArgumentException(
        "%s has no form with the operands %s, or none with such a mask; it has %s"
            .formatted(
                instruction,
                given,
                instruction.forms().stream()
                    .map(Form::operandText)
                    .collect(Collectors.joining("; "))));
  }

  private static String needed(Form form) {
    List<String> needs = new ArrayList<>();
    if (form.hasVex() || form.isLegacy()) {
      form.vexFeature().ifPresent(feature -> needs.add(feature.name()));
    }
    if (form.hasEvex()) {
      form.evexFeature()
          .ifPresent(
              feature -> needs.add(feature + (form.needsVectorLengths() ? " with AVX512VL" : "")));
    }
    return String.join(" or ", needs);
  }

  /** The features that instructions may need. */
  public Set<Feature> features() {
    return Set.copyOf(features);
  }

  /** Whether there is a listing. */
  public boolean isListed() {
    return isListed;
  }

  /** Adds a comment to the listing, if there is one. */
  public void comment(String text) {
    if (isListed) {
      listing.add("    # " + text);
    }
  }

  /** A new label, not bound yet. */
  public Label label() {
    return new Label('L', labels++);
  }

  /** Binds a label to the position of the next instruction. */
  public void bind(Label label) {
    label.bind(code.size());
    if (isListed) {
      listing.label(label);
    }
  }

  /**
   * Binds a label to data that the caller places at a fixed distance from the code, such as a table
   * in the same file.
   *
   * @param position in bytes from the first byte of the code
   */
  public void bind(Label label, int position) {
    label.bind(position);
    if (isListed) {
      listing.add("    .set " + label + ", . + " + (position - code.size()));
    }
  }

  /** Jumps to a label. */
  public void jump(Label target) {
    branch(target, 0xEB, -1, 0xE9);
    if (isListed) {
      listing.add("    jmp " + target);
    }
  }

  /** Jumps to a label if a condition holds. */
  public void jump(Condition condition, Label target) {
    int code8 = 0x70 + condition.ordinal();
    branch(target, code8, 0x0F, 0x80 + condition.ordinal());
    if (isListed) {
      listing.add("    j" + condition + " " + target);
    }
  }

  /** Calls the code at a label. */
  public void call(Label target) {
    branch(target, -1, -1, 0xE8);
    if (isListed) {
      listing.add("    call " + target);
    }
  }

  /** Backward jumps are short where that reaches; forward jumps have four bytes. */
  private void branch(Label target, int shortCode, int escape, int longCode) {
    int distance = target.isBound() ? target.position() - (code.size() + 2) : Integer.MIN_VALUE;
    if (shortCode >= 0 && distance == (byte) distance) {
      code.put8(shortCode);
      code.put8(distance);
    } else {
      if (escape >= 0) {
        code.put8(escape);
      }
      code.put8(longCode);
      code.put32(0);
      encoder.fixups().add(new Encoder.Fixup(code.size() - 4, code.size(), target, 0));
    }
  }

  /** Fills with instructions that do nothing, up to a multiple of {@code alignment} bytes. */
  public void align(int alignment) {
    checkAlignment(alignment);
    while (code.size() % alignment != 0) {
      Nops.put(code, alignment - code.size() % alignment);
    }
    if (isListed) {
      listing.add("    .p2align " + Integer.numberOfTrailingZeros(alignment));
    }
  }

  private static void checkAlignment(int alignment) {
    if (Integer.bitCount(alignment) != 1 || alignment > LARGEST_ALIGNMENT) {
      throw new IllegalArgumentException(
          "an alignment is a power of two up to %d, but got %d"
              .formatted(LARGEST_ALIGNMENT, alignment));
    }
  }

  /**
   * The label of constant bytes, which are placed after the code. Equal bytes are placed once.
   *
   * @param alignment a power of two up to 64
   */
  public Label constant(byte[] bytes, int alignment) {
    checkAlignment(alignment);
    Constant key = new Constant(ByteBuffer.wrap(bytes.clone()), alignment);
    Label label = constants.get(key);
    if (label == null) {
      label = new Label('C', constants.size());
      constants.put(key, label);
    }
    return label;
  }

  /** Bytes written so far, constants not included. */
  public int size() {
    return code.size();
  }

  /**
   * The code and its constants. The first byte has to be at a multiple of 64 bytes. Ends the use of
   * this assembler.
   *
   * @throws IllegalStateException if a label that is used was not bound
   */
  public byte[] finish() {
    for (Map.Entry<Constant, Label> entry : constants.entrySet()) {
      Constant constant = entry.getKey();
      while (code.size() % constant.alignment() != 0) {
        code.put8(0xCC);
      }
      bind(entry.getValue());
      code.putAll(constant.bytes().array());
      if (isListed) {
        listing.add("    .byte " + hex(constant.bytes().array()));
      }
    }
    for (Encoder.Fixup fixup : encoder.fixups()) {
      int target = fixup.label().position() + fixup.displacement();
      code.set32(fixup.position(), target - fixup.end());
    }
    return code.copy(0, code.size());
  }

  private static String hex(byte[] bytes) {
    List<String> values = new ArrayList<>();
    for (byte value : bytes) {
      values.add("0x%02x".formatted(value & 0xFF));
    }
    return String.join(", ", values);
  }

  /**
   * The text of what was written, in Intel syntax.
   *
   * @throws IllegalStateException if this assembler is none {@link #withListing}
   */
  public String listing() {
    if (!isListed) {
      throw new IllegalStateException("the assembler was made without a listing");
    }
    return listing.text();
  }
}
