package org.relaxvm.api.object;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.TypedObject;

/**
 * An object whose type has no Java class of its own. Immutable; equal to itself only, since whether
 * two references are to the same object makes a difference in the IR.
 *
 * <p>Values are {@code null}, {@link Long}, {@link Boolean}, {@link Double}, {@link String}, {@code
 * byte[]}, {@link org.relaxvm.api.DType}, {@link org.relaxvm.api.DeviceId}, {@link
 * org.relaxvm.api.Shape}, {@link org.relaxvm.api.Tensor} (borrowed), unmodifiable lists and maps
 * ({@code ffi.Array}, {@code ffi.Map}), {@link ListObject}, {@link DictObject}, {@link ModuleBytes}
 * and objects.
 */
public final class ObjectNode implements TypedObject {
  private final ObjectType type;
  private final @Nullable Object[] values;

  ObjectNode(ObjectType type, @Nullable Object[] values) {
    this.type = type;
    this.values = values;
  }

  /** The type. */
  public ObjectType type() {
    return type;
  }

  @Override
  public String typeKey() {
    return type.key();
  }

  @Nullable Object value(int field) {
    return values[field];
  }

  /** Reads and creates nodes of a type. */
  record Access(ObjectType type) implements ObjectAccess {
    @Override
    public @Nullable Object get(Object object, int field) {
      return ((ObjectNode) object).value(field);
    }

    @Override
    public Object create(@Nullable Object[] values) {
      return new ObjectNode(type, Arrays.copyOf(values, values.length));
    }
  }

  @Override
  public String toString() {
    return Representation.of(this);
  }
}
