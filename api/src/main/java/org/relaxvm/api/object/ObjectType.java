package org.relaxvm.api.object;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * A type of a registry. Immutable and thread-safe.
 *
 * <p>Source: docs/spec/object-system.md, sections 1 and 2.
 */
public final class ObjectType {
  private final ObjectTypes registry;
  private final ObjectDeclaration declaration;
  private final int index;
  private final List<ObjectType> ancestors;
  private final List<ObjectField> fields;
  private final Map<String, Integer> numbers = new HashMap<>();
  private final ObjectAccess access;

  /**
   * Links a type.
   *
   * @param parent null of a type without one
   */
  ObjectType(
      ObjectTypes registry, ObjectDeclaration declaration, int index, @Nullable ObjectType parent) {
    this.registry = registry;
    this.declaration = declaration;
    this.index = index;
    List<ObjectType> up = new ArrayList<>();
    List<ObjectField> all = new ArrayList<>();
    if (parent != null) {
      up.addAll(parent.ancestors);
      up.add(parent);
      all.addAll(parent.fields);
    }
    this.ancestors = List.copyOf(up);
    List<ObjectField> own = declaration.ownFields();
    all.addAll(isRecord(declaration) ? ownFields(own, all) : own);
    this.fields = List.copyOf(all);
    for (int i = 0; i < fields.size(); i++) {
      if (numbers.put(fields.get(i).name(), i) != null) {
        throw new CallException(
            ErrorKind.VALUE, "the type " + key() + " has two fields " + fields.get(i).name());
      }
    }
    ObjectAccess given = declaration.access();
    this.access = given == null ? new ObjectNode.Access(this) : given;
  }

  private static boolean isRecord(ObjectDeclaration declaration) {
    return declaration.javaClass() != null && declaration.javaClass().isRecord();
  }

  /** The components of a record after those that are inherited fields. */
  private List<ObjectField> ownFields(List<ObjectField> components, List<ObjectField> inherited) {
    for (int i = 0; i < inherited.size(); i++) {
      ObjectField field = inherited.get(i);
      if (i == components.size()
          || !components.get(i).name().equals(field.name())
          || components.get(i).kind() != field.kind()) {
        throw new CallException(
            ErrorKind.VALUE,
            "the record of the type "
                + key()
                + " must begin with the fields of "
                + declaration.parent()
                + "\n  expected: "
                + inherited
                + "\n  got: "
                + components);
      }
    }
    return components.subList(inherited.size(), components.size());
  }

  /** The key, which is the same in each process. */
  public String key() {
    return declaration.key();
  }

  /** The index, which is the same in each process only below 128. */
  public int index() {
    return index;
  }

  /** The types that it extends, root first. */
  public List<ObjectType> ancestors() {
    return ancestors;
  }

  /** Whether it is a type or extends it. */
  public boolean isA(String typeKey) {
    return key().equals(typeKey) || ancestors.stream().anyMatch(t -> t.key().equals(typeKey));
  }

  /** All fields: those of the ancestors, root first, then its own. */
  public List<ObjectField> fields() {
    return fields;
  }

  /** The number of a field; -1 if there is none of that name. */
  public int fieldNumber(String name) {
    Integer number = numbers.get(name);
    return number == null ? -1 : number;
  }

  /**
   * The number of a field.
   *
   * @throws CallException a {@code TypeError} that lists the fields if there is none of that name
   */
  public int requireField(String name) {
    int number = fieldNumber(name);
    if (number < 0) {
      throw new CallException(
          ErrorKind.TYPE,
          "the type "
              + key()
              + " has no field '"
              + name
              + "'\n  it has: "
              + (fields.isEmpty()
                  ? "none"
                  : String.join(", ", numbers.keySet().stream().sorted().toList())));
    }
    return number;
  }

  /** How objects are compared. */
  public ComparisonKind comparison() {
    return declaration.comparison();
  }

  /** One sentence, or empty. */
  public String doc() {
    return declaration.doc();
  }

  /** The field that the objects are saved as; empty for those that are saved by their fields. */
  public Optional<String> textField() {
    return declaration.textField().isEmpty()
        ? Optional.empty()
        : Optional.of(declaration.textField());
  }

  /** The class of the objects; empty for {@link ObjectNode}s. */
  public Optional<Class<?>> javaClass() {
    return Optional.ofNullable(declaration.javaClass());
  }

  /** The functions whose first argument is an object of the type, by name. */
  public Map<String, PackedFunc> methods() {
    return declaration.methods();
  }

  /** The value of a field of an object of the type. */
  public @Nullable Object get(Object object, int field) {
    return access.get(object, field);
  }

  /**
   * A new object.
   *
   * @param values one for each field; not kept
   * @throws CallException a {@code TypeError} if a value is not of its field's kind or class; a
   *     {@code ValueError} if the constructor of a record refuses the values
   */
  public Object create(@Nullable Object... values) {
    if (values.length != fields.size()) {
      throw new CallException(
          ErrorKind.TYPE,
          "the type " + key() + " has " + fields.size() + " fields, but got " + values.length);
    }
    for (int i = 0; i < values.length; i++) {
      check(fields.get(i), values[i]);
    }
    return access.create(values);
  }

  /**
   * A new object of named values; fields without one have their default.
   *
   * @throws CallException a {@code TypeError} if a required field has no value, or a value is not
   *     of its field's kind; a {@code TypeError} if there is no field of a name
   */
  public Object create(Map<String, ?> values) {
    @Nullable Object[] all = new Object[fields.size()];
    values.keySet().forEach(this::requireField);
    for (int i = 0; i < all.length; i++) {
      ObjectField field = fields.get(i);
      all[i] = values.containsKey(field.name()) ? values.get(field.name()) : defaultValue(i);
    }
    return create(all);
  }

  /**
   * The value of a field that an object is made without.
   *
   * @throws CallException a {@code TypeError} if one is required
   */
  public @Nullable Object defaultValue(int field) {
    ObjectField.Default given = fields.get(field).defaultValue();
    if (given == null) {
      throw new CallException(
          ErrorKind.TYPE,
          "Required field `" + fields.get(field).name() + "` not set in type `" + key() + "`");
    }
    return registry.defaultValue(given);
  }

  private void check(ObjectField field, @Nullable Object value) {
    boolean isRight =
        switch (field.kind()) {
          case INT -> value instanceof Long;
          case BOOL -> value instanceof Boolean;
          case FLOAT -> value instanceof Double;
          case DTYPE -> value instanceof DType;
          case REFERENCE -> true;
        };
    if (!isRight) {
      throw new CallException(
          ErrorKind.TYPE,
          "the field '"
              + field.name()
              + "' of "
              + key()
              + " takes "
              + switch (field.kind()) {
                case INT -> "a Long";
                case BOOL -> "a Boolean";
                case FLOAT -> "a Double";
                case DTYPE -> "a DType";
                case REFERENCE -> "any value";
              }
              + ", but got "
              + (value == null ? "null" : value.getClass().getSimpleName()));
    }
  }

  @Override
  public String toString() {
    return key();
  }
}
