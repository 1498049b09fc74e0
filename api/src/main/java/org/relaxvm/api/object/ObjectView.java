package org.relaxvm.api.object;

import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * An object by its fields. Immutable; thread-safe as far as the object is.
 *
 * @param type of the object
 * @param object which it shows
 */
public record ObjectView(ObjectType type, Object object) {
  /**
   * A view of an object.
   *
   * @throws CallException a {@code TypeError} for a value, or a class without a type
   */
  public static ObjectView of(ObjectTypes types, Object object) {
    return types
        .typeOf(object)
        .map(type -> new ObjectView(type, object))
        .orElseThrow(
            () ->
                new CallException(
                    ErrorKind.TYPE, "a value of " + types.keyOf(object) + " has no fields"));
  }

  /** A view of a node. */
  public static ObjectView of(ObjectNode node) {
    return new ObjectView(node.type(), node);
  }

  /** The fields: those of the ancestors, root first, then its own. */
  public java.util.List<ObjectField> fields() {
    return type.fields();
  }

  /**
   * The value of a field.
   *
   * @throws CallException a {@code TypeError} that lists the fields if there is none of that name
   */
  public @Nullable Object get(String field) {
    return type.get(object, type.requireField(field));
  }

  /**
   * A copy of the object with another value of a field.
   *
   * @throws CallException as {@link #get}; or if the value is not of the field's kind
   */
  public Object with(String field, @Nullable Object value) {
    int changed = type.requireField(field);
    @Nullable Object[] values = new Object[type.fields().size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = i == changed ? value : type.get(object, i);
    }
    return type.create(values);
  }

  /** Passes each field and its value on, in order. */
  public void forEach(BiConsumer<ObjectField, @Nullable Object> action) {
    for (int i = 0; i < type.fields().size(); i++) {
      action.accept(type.fields().get(i), type.get(object, i));
    }
  }

  @Override
  public String toString() {
    return Representation.of(object);
  }
}
