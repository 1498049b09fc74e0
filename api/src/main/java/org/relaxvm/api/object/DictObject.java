package org.relaxvm.api.object;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.TypeKey;

/**
 * The {@code ffi.Dict} of the original, which can be changed, unlike a map. Equal to itself only.
 * As thread-safe as the map, whose order of iteration is that of the entries.
 */
@TypeKey("ffi.Dict")
public final class DictObject {
  private final Map<@Nullable Object, @Nullable Object> entries;

  /** A dictionary over entries, which are not copied. */
  public DictObject(Map<@Nullable Object, @Nullable Object> entries) {
    this.entries = entries;
  }

  /** The entries. */
  public Map<@Nullable Object, @Nullable Object> entries() {
    return entries;
  }

  @Override
  public String toString() {
    return Representation.of(this);
  }
}
