package org.relaxvm.api.object;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.TypeKey;

/**
 * The {@code ffi.List} of the original, which can be changed, unlike an array. Equal to itself
 * only. As thread-safe as the list.
 */
@TypeKey("ffi.List")
public final class ListObject {
  private final List<@Nullable Object> elements;

  /** A list over elements, which are not copied. */
  public ListObject(List<@Nullable Object> elements) {
    this.elements = elements;
  }

  /** The elements. */
  public List<@Nullable Object> elements() {
    return elements;
  }

  @Override
  public String toString() {
    return Representation.of(this);
  }
}
