package org.relaxvm.vmcore.program;

import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/** An extent in a program's description: a number, or a symbol that a call binds. Immutable. */
public sealed interface Dim {
  /** An extent that every call has. */
  record Fixed(long extent) implements Dim {
    /** Refuses negative extents. */
    public Fixed {
      if (extent < 0) {
        throw new CallException(
            ErrorKind.VALUE, "a dimension must not be negative, but got " + extent);
      }
    }

    @Override
    public String toString() {
      return Long.toString(extent);
    }
  }

  /** An extent that differs from call to call; equal names are equal extents within one call. */
  record Symbol(String name) implements Dim {
    /** Refuses what is no identifier. */
    public Symbol {
      if (!name.matches("[A-Za-z_][A-Za-z0-9_]*")) {
        throw new CallException(
            ErrorKind.VALUE,
            "a symbolic dimension is named by letters, digits and _, but got '" + name + "'");
      }
    }

    @Override
    public String toString() {
      return name;
    }
  }

  /** A fixed extent, 0 or more. */
  static Dim of(long extent) {
    return new Fixed(extent);
  }

  /**
   * A symbolic extent, such as {@code n}.
   *
   * @throws CallException a {@code ValueError} when the name is no identifier
   */
  static Dim symbol(String name) {
    return new Symbol(name);
  }
}
