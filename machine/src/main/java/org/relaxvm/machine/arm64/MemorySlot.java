package org.relaxvm.machine.arm64;

import org.jspecify.annotations.Nullable;

/**
 * Memory.
 *
 * @param mode which addresses are possible
 * @param size bytes of the access, of which offsets are multiples and shifts of indices the
 *     logarithm; 0 where that does not matter
 */
record MemorySlot(Mode mode, int size) implements Slot {

  /** Addresses that an instruction may have. */
  enum Mode {
    /** A base alone. */
    BASE,
    /** 12 bits, unsigned, in units of the size. */
    UNSIGNED,
    /** 9 bits, signed, in bytes. */
    SIGNED,
    SIGNED_PRE,
    SIGNED_POST,
    /** 7 bits, signed, in units of the size. */
    PAIR,
    PAIR_PRE,
    PAIR_POST,
    /** A register that is added, shifted or extended. */
    INDEX,
    /** The base grows by the bytes that the registers of the list hold. */
    POST_LIST,
    /** The base grows by an element for each register of the list. */
    POST_ELEMENTS,
    /** The base grows by a register. */
    POST_REGISTER
  }

  private static final int BASE_AT = 5;
  private static final int UNSIGNED_AT = 10;
  private static final int SIGNED_AT = 12;
  private static final int PAIR_AT = 15;
  private static final int INDEX_AT = 16;
  private static final int EXTENSION_AT = 13;
  private static final int SHIFT_AT = 12;

  @Override
  public boolean isKind(Operand operand) {
    boolean hasRegister = mode == Mode.INDEX || mode == Mode.POST_REGISTER;
    return operand instanceof Address address
        && address.mode() == increment()
        && (address.index() != null) == hasRegister;
  }

  private Address.Mode increment() {
    return switch (mode) {
      case SIGNED_PRE, PAIR_PRE -> Address.Mode.PRE;
      case SIGNED_POST, PAIR_POST, POST_LIST, POST_ELEMENTS, POST_REGISTER -> Address.Mode.POST;
      case BASE, UNSIGNED, SIGNED, PAIR, INDEX -> Address.Mode.OFFSET;
    };
  }

  @Override
  public boolean fits(Operand[] operands, int index, Shape shape) {
    Address address = (Address) operands[index];
    Gp added = address.index();
    int offset = address.offset();
    return switch (mode) {
      case BASE -> offset == 0;
      case UNSIGNED -> offset % size == 0 && offset >= 0 && offset / size < 1 << 12;
      case SIGNED, SIGNED_PRE, SIGNED_POST -> isSigned(offset, 9);
      case PAIR, PAIR_PRE, PAIR_POST -> offset % size == 0 && isSigned(offset / size, 7);
      case INDEX -> fitsIndex(added, address.extension());
      case POST_LIST, POST_ELEMENTS -> offset == listBytes(operands[0]);
      case POST_REGISTER -> added != null && added.bits() == 64 && !added.isZero();
    };
  }

  private static boolean isSigned(int value, int bits) {
    return value >= -1 << (bits - 1) && value < 1 << (bits - 1);
  }

  private boolean fitsIndex(@Nullable Gp index, @Nullable Modifier extension) {
    if (index == null) {
      return false;
    }
    if (extension == null) {
      return index.bits() == 64;
    }
    boolean isKind =
        switch (extension.kind()) {
          case LSL, SXTX -> index.bits() == 64;
          case UXTW, SXTW -> index.bits() == 32;
          default -> false;
        };
    int amount = extension.amount();
    return isKind && (amount == 0 || 1 << amount == size);
  }

  /** Bytes that a list of registers holds, or a list of elements. */
  private int listBytes(Operand operand) {
    if (operand instanceof ElementList list) {
      return list.count() * list.kind().bytes();
    }
    VectorList list = (VectorList) operand;
    Arrangement lanes = list.arrangement();
    return list.count() * (mode == Mode.POST_LIST ? lanes.bytes() : lanes.elementBytes());
  }

  @Override
  public int encode(Operand[] operands, int index, Shape shape) {
    Address address = (Address) operands[index];
    int offset = address.offset();
    int bits =
        switch (mode) {
          case UNSIGNED -> (offset / size) << UNSIGNED_AT;
          case SIGNED, SIGNED_PRE, SIGNED_POST -> (offset & 0x1FF) << SIGNED_AT;
          case PAIR, PAIR_PRE, PAIR_POST -> (offset / size & 0x7F) << PAIR_AT;
          case INDEX -> number(address.index()) << INDEX_AT | extension(address.extension());
          case POST_REGISTER -> number(address.index()) << INDEX_AT;
          case BASE, POST_LIST, POST_ELEMENTS -> 0;
        };
    return address.base().number() << BASE_AT | bits;
  }

  private static int number(@Nullable Gp index) {
    return index == null ? 0 : index.number();
  }

  private static int extension(@Nullable Modifier extension) {
    Modifier given = extension == null ? Modifier.lsl(0) : extension;
    Modifier.Kind kind = given.kind() == Modifier.Kind.LSL ? Modifier.Kind.UXTX : given.kind();
    return kind.number() << EXTENSION_AT | (given.amount() > 0 ? 1 : 0) << SHIFT_AT;
  }
}
