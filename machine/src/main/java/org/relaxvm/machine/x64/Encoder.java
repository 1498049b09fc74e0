package org.relaxvm.machine.x64;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Writes the bytes of instructions.
 *
 * <p>Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2, sections 2.1
 * to 2.3 and 2.7.
 */
final class Encoder {
  /** A displacement of four bytes that is relative to the end of its instruction. */
  record Fixup(int position, int end, Label label, int displacement) {}

  /** Which prefixes carry registers and vector length. */
  private enum Prefix {
    LEGACY,
    VEX,
    EVEX
  }

  /** The number in modrm.rm that says that a SIB byte follows. */
  private static final int SIB = 4;

  /** The number of an index that is none. */
  private static final int NO_INDEX = 4;

  private static final int ESCAPE = 0x0F;
  private static final int MAP_38 = 0x0F38;
  private static final int MAP_3A = 0x0F3A;

  private final Set<Feature> features;
  private final CodeBuffer code;
  private final List<Fixup> fixups = new ArrayList<>();

  Encoder(Set<Feature> features, CodeBuffer code) {
    this.features = features;
    this.code = code;
  }

  List<Fixup> fixups() {
    return fixups;
  }

  /** Whether the features allow an encoding of a match. */
  boolean allows(Match match, Operand[] operands, Masking masking) {
    Form form = match.form();
    if (form.isLegacy()) {
      return has(form.vexFeature(), true);
    }
    return allowsVex(match, operands, masking) || allowsEvex(match);
  }

  private boolean has(Optional<Feature> feature, boolean ifNone) {
    return feature.isEmpty() ? ifNone : features.contains(feature.get());
  }

  private boolean allowsVex(Match match, Operand[] operands, Masking masking) {
    Form form = match.form();
    return form.hasVex()
        && !masking.isMasked()
        && match.length() < 512
        && has(form.vexFeature(), true)
        && !needsEvex(operands);
  }

  private boolean allowsEvex(Match match) {
    Form form = match.form();
    return form.hasEvex()
        && has(form.evexFeature(), false)
        && features.contains(Feature.AVX512F)
        && (match.length() == 512
            || !form.needsVectorLengths()
            || features.contains(Feature.AVX512VL));
  }

  private static boolean needsEvex(Operand[] operands) {
    for (Operand operand : operands) {
      if (operand instanceof Vector vector ? vector.number() > 15 : needsEvex(operand)) {
        return true;
      }
    }
    return false;
  }

  private static boolean needsEvex(Operand operand) {
    return operand instanceof Address address
        && (address.isBroadcast()
            || (address.index() instanceof Vector index && index.number() > 15));
  }

  /**
   * Writes an instruction; returns whether a VEX prefix was chosen where EVEX was possible, too.
   */
  boolean encode(Match match, Operand[] operands, Masking masking) {
    Form form = match.form();
    Prefix prefix =
        form.isLegacy()
            ? Prefix.LEGACY
            : allowsVex(match, operands, masking) ? Prefix.VEX : Prefix.EVEX;
    Fields fields = Fields.of(match, operands);
    switch (prefix) {
      case LEGACY -> legacy(match, fields);
      case VEX -> vex(match, fields);
      case EVEX -> evex(match, fields, masking);
    }
    int added = form.roles().indexOf('O') >= 0 ? fields.rm() & 7 : 0;
    code.put8(form.opcode() + added);
    int fixed = -1;
    if (fields.hasModRm()) {
      fixed = modRm(match, fields, prefix == Prefix.EVEX);
    }
    immediate(match, operands);
    if (fixed >= 0 && fields.address() != null && fields.address().label() != null) {
      fixups.add(
          new Fixup(fixed, code.size(), fields.address().label(), fields.address().displacement()));
    }
    return prefix == Prefix.VEX && form.hasEvex();
  }

  private void legacy(Match match, Fields fields) {
    Form form = match.form();
    if (form.prefix() != 0) {
      code.put8(form.prefix());
    }
    boolean isWide = isWide(match, false);
    int rex =
        (isWide ? 8 : 0) | (fields.reg() >>> 3) << 2 | fields.indexBit() << 1 | fields.rmBit();
    if (rex != 0 || fields.needsRex()) {
      code.put8(0x40 | rex);
    }
    switch (form.map()) {
      case 0 -> {}
      case ESCAPE -> code.put8(ESCAPE);
      default -> {
        code.put8(form.map() >>> 8);
        code.put8(form.map());
      }
    }
  }

  private static boolean isWide(Match match, boolean isEvex) {
    return switch (match.form().w()) {
      case SIZE -> match.size() == 64;
      case NONE, ZERO -> false;
      case ONE -> true;
      case EVEX_ONE -> isEvex;
    };
  }

  private static int implied(Form form) {
    return switch (form.prefix()) {
      case 0x66 -> 1;
      case 0xF3 -> 2;
      case 0xF2 -> 3;
      default -> 0;
    };
  }

  private static int map(Form form) {
    return switch (form.map()) {
      case ESCAPE -> 1;
      case MAP_38 -> 2;
      case MAP_3A -> 3;
      default -> throw new IllegalStateException("no map of VEX: " + form.text());
    };
  }

  private void vex(Match match, Fields fields) {
    Form form = match.form();
    int notReg = ~(fields.reg() >>> 3) & 1;
    int notIndex = ~fields.indexBit() & 1;
    int notRm = ~fields.rmBit() & 1;
    int wide = isWide(match, false) ? 1 : 0;
    int last = (~fields.vvvv() & 15) << 3 | (match.length() == 256 ? 4 : 0) | implied(form);
    if (map(form) == 1 && wide == 0 && notIndex == 1 && notRm == 1) {
      code.put8(0xC5);
      code.put8(notReg << 7 | last);
    } else {
      code.put8(0xC4);
      code.put8(notReg << 7 | notIndex << 6 | notRm << 5 | map(form));
      code.put8(wide << 7 | last);
    }
  }

  private void evex(Match match, Fields fields, Masking masking) {
    Form form = match.form();
    int notReg = ~(fields.reg() >>> 3) & 1;
    int notReg4 = ~(fields.reg() >>> 4) & 1;
    boolean isRegister = fields.address() == null;
    // Bit 4 of a register in modrm.rm is X; bit 4 of a vector of indices is V'.
    int notIndex = ~(isRegister ? fields.rm() >>> 4 : fields.indexBit()) & 1;
    int notRm = ~fields.rmBit() & 1;
    int fifth = fields.indexVector() >= 0 ? fields.indexVector() >>> 4 : fields.vvvv() >>> 4;
    int length = match.length() == 512 ? 2 : match.length() == 256 ? 1 : 0;
    boolean isBroadcast = fields.address() != null && fields.address().isBroadcast();
    code.put8(0x62);
    code.put8(notReg << 7 | notIndex << 6 | notRm << 5 | notReg4 << 4 | map(form));
    code.put8((isWide(match, true) ? 0x80 : 0) | (~fields.vvvv() & 15) << 3 | 4 | implied(form));
    code.put8(
        (masking.isZeroing() ? 0x80 : 0)
            | length << 5
            | (isBroadcast ? 0x10 : 0)
            | (~fifth & 1) << 3
            | masking.mask().number());
  }

  /** Writes modrm, SIB and displacement; returns the position of a displacement of four bytes. */
  private int modRm(Match match, Fields fields, boolean isEvex) {
    int reg = (fields.reg() & 7) << 3;
    Address address = fields.address();
    if (address == null) {
      code.put8(0xC0 | reg | (fields.rm() & 7));
      return -1;
    }
    if (address.label() != null) {
      code.put8(reg | 5);
      code.put32(0);
      return code.size() - 4;
    }
    Gp base = address.base();
    int displacement = address.displacement();
    int index = fields.indexNumber() < 0 ? NO_INDEX : fields.indexNumber() & 7;
    int sib = Integer.numberOfTrailingZeros(address.scale()) << 6 | index << 3;
    if (base == null) {
      code.put8(reg | SIB);
      code.put8(sib | 5);
      code.put32(displacement);
      return -1;
    }
    int unit = isEvex ? match.form().tuple().unit(match.memoryBytes(address)) : 1;
    boolean isShort =
        displacement % unit == 0 && displacement / unit == (byte) (displacement / unit);
    int low = base.number() & 7;
    // Without a displacement, the number of rbp and r13 means another form of address.
    int mod = displacement == 0 && low != 5 ? 0 : isShort ? 1 : 2;
    if (address.index() != null || low == SIB) {
      code.put8(mod << 6 | reg | SIB);
      code.put8(sib | low);
    } else {
      code.put8(mod << 6 | reg | low);
    }
    switch (mod) {
      case 0 -> {}
      case 1 -> code.put8(displacement / unit);
      default -> code.put32(displacement);
    }
    return -1;
  }

  private void immediate(Match match, Operand[] operands) {
    Form form = match.form();
    int selector = form.roles().indexOf('S');
    if (selector >= 0) {
      code.put8(((Vector) operands[selector]).number() << 4);
    }
    int index = form.roles().indexOf('I');
    if (index < 0) {
      return;
    }
    long value = ((Immediate) operands[index]).value();
    switch (form.kinds().get(index)) {
      case I8, U8 -> code.put8((int) value);
      case I32 -> code.put32((int) value);
      default -> code.put64(value);
    }
  }
}
