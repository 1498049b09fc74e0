package org.relaxvm.rpc.wire;

/** Numbers of value types on the wire. Source: docs/spec/rpc-protocol.md, section 3. */
public final class TypeIndex {
  public static final int NONE = 0;
  public static final int INT = 1;
  public static final int BOOL = 2;
  public static final int FLOAT = 3;
  public static final int OPAQUE_POINTER = 4;
  public static final int DATA_TYPE = 5;
  public static final int DEVICE = 6;

  /** A view of a tensor: metadata and a handle, never elements. */
  public static final int TENSOR_VIEW = 7;

  /** Text in calls and results. */
  public static final int RAW_STRING = 8;

  /** Bytes in results. */
  public static final int BYTE_ARRAY = 9;

  /** Text of at most {@link #SMALL_BYTES} bytes, as an object. */
  public static final int SMALL_STRING = 11;

  /** At most {@link #SMALL_BYTES} bytes, as an object. */
  public static final int SMALL_BYTES_OBJECT = 12;

  public static final int STRING = 65;
  public static final int BYTES = 66;
  public static final int FUNCTION = 68;
  public static final int TENSOR = 70;
  public static final int ARRAY = 71;
  public static final int MAP = 72;
  public static final int SHAPE = 69;
  public static final int MODULE = 73;

  /** An object of the other side that stays there. */
  public static final int REMOTE_OBJECT = 115;

  /** The first index of an object in memory of its own. */
  public static final int FIRST_OBJECT = 64;

  /** The longest content that is stored in the value itself. */
  public static final int SMALL_BYTES = 7;

  private TypeIndex() {}
}
