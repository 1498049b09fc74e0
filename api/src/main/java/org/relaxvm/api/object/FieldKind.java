package org.relaxvm.api.object;

/** What a field holds. All but {@link #REFERENCE} are never null. */
public enum FieldKind {
  /** A {@link Long}. */
  INT,
  /** A {@link Boolean}. */
  BOOL,
  /** A {@link Double}. */
  FLOAT,
  /** A {@link org.relaxvm.api.DType}. */
  DTYPE,
  /**
   * Any value, or null: an object, a string, a list, a map, a tensor, a scalar that may be absent.
   */
  REFERENCE
}
