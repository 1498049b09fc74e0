package org.relaxvm.api.object;

import org.relaxvm.api.TypeKey;

/**
 * A module within an object, in the form that it is saved in: the module tree of an exported
 * library. Equal to itself only.
 *
 * <p>Source: docs/spec/native-library.md, section 4.1.
 */
@TypeKey("ffi.Module")
public final class ModuleBytes {
  private final byte[] bytes;

  /** A module of bytes, which are not copied. */
  public ModuleBytes(byte[] bytes) {
    this.bytes = bytes;
  }

  /** A copy of the bytes. */
  public byte[] bytes() {
    return bytes.clone();
  }

  /** How many bytes there are. */
  public int byteSize() {
    return bytes.length;
  }
}
