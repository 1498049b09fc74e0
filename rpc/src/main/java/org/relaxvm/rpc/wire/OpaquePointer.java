package org.relaxvm.rpc.wire;

/**
 * A handle or an address of the other side.
 *
 * @param value 0 for null
 */
public record OpaquePointer(long value) {
  /** The null pointer. */
  public static final OpaquePointer NULL = new OpaquePointer(0);
}
