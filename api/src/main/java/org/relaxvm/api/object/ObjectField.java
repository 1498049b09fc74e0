package org.relaxvm.api.object;

import org.jspecify.annotations.Nullable;

/**
 * A field of a type.
 *
 * @param name unique within the type and its ancestors
 * @param kind what it holds
 * @param typeName its declared type, as {@code ffi.Array<ir.Expr>}
 * @param role in structural comparison
 * @param defaultValue null when a value is required
 * @param doc one sentence, or empty
 */
public record ObjectField(
    String name,
    FieldKind kind,
    String typeName,
    FieldRole role,
    @Nullable Default defaultValue,
    String doc) {
  /**
   * What a field is without a value.
   *
   * @param value shared by all objects; null is a value; {@link Unknown} stands for an object
   */
  public record Default(@Nullable Object value) {}

  /**
   * A default value that is an object of a type, which has the default values of its own fields;
   * none of them may need this one. All objects share it.
   *
   * @param typeKey of the object
   */
  public record Unknown(String typeKey) {}

  /** A compared field that is required, without documentation. */
  public ObjectField(String name, FieldKind kind, String typeName) {
    this(name, kind, typeName, FieldRole.COMPARED, null, "");
  }

  /** The same field with another role. */
  public ObjectField withRole(FieldRole other) {
    return new ObjectField(name, kind, typeName, other, defaultValue, doc);
  }

  /** The same field with a default value. */
  public ObjectField withDefault(@Nullable Object value) {
    return new ObjectField(name, kind, typeName, role, new Default(value), doc);
  }

  @Override
  public String toString() {
    return name + ": " + typeName;
  }
}
