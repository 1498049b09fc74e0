package org.relaxvm.api.object;

import org.jspecify.annotations.Nullable;

/**
 * Reads and creates the objects of a type. Fields are numbered from 0: those of the ancestors, root
 * first, then those of the type. Thread-safe.
 */
public interface ObjectAccess {
  /** The value of a field. */
  @Nullable Object get(Object object, int field);

  /**
   * A new object.
   *
   * @param values one for each field, of the field's kind; not kept
   */
  Object create(@Nullable Object[] values);
}
