package org.relaxvm.interoptvm.abi;

/**
 * Stands for a Java object in compiled code, which passes its address around. The block looks like
 * an object of the native ABI (docs/spec/native-library.md, section 2.3). Compiled code that takes
 * it for a tensor, whether as an object or as a bare tensor, finds a rank of -1 and refuses it,
 * unless it is one.
 *
 * <p>Rationale: docs/rationale/interop-tvm.md, "Why has an opaque object a rank of -1 at two
 * offsets?"
 */
public final class ObjectBlock {
  /** Bytes of a block, without the extents of a tensor. */
  public static final int BYTES = 88;

  private static final int TYPE = 8;
  private static final int RANK_IF_TENSOR = 16;
  private static final int BODY = 24;
  private static final int INDEX = 72;
  private static final int SELF = 80;
  private static final long ONE_OWNER = 1L << 32 | 1;

  private ObjectBlock() {}

  /**
   * Writes a block without a body.
   *
   * @param index which object it stands for
   */
  public static void put(long address, int type, long index) {
    RawMemory.putLong(address, ONE_OWNER);
    RawMemory.putLong(address + TYPE, type);
    RawMemory.putLong(address + RANK_IF_TENSOR, 0xFFFF_FFFFL);
    DlTensor.putNone(body(address));
    RawMemory.putLong(address + INDEX, index);
    RawMemory.putLong(address + SELF, address);
  }

  /** Where the body begins: in a tensor's block, the tensor. */
  public static long body(long address) {
    return address + BODY;
  }

  /** The block of a body. */
  public static long ofBody(long body) {
    return body - BODY;
  }

  /**
   * Whether a block begins at an address, and not in front of it: compiled code may have computed
   * it.
   *
   * @param address of {@link #BYTES} that can be read
   */
  public static boolean isAt(long address) {
    return RawMemory.getLong(address + SELF) == address;
  }

  /** Which object a block stands for. */
  public static int index(long address) {
    return (int) RawMemory.getLong(address + INDEX);
  }
}
