package org.relaxvm.api.object;

import java.lang.invoke.MethodHandles;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.PackedFunc;

/**
 * A type as its author describes it. Ancestors are named by key, so that types of different jars
 * can be declared in any order; {@link ObjectTypes} links them.
 *
 * @param key unique, such as {@code acme.Scale}
 * @param parent the key of the parent; empty for a type without fields of others and for values
 * @param comparison how objects are compared
 * @param ownFields without those of the ancestors; of a record all, those of the ancestors first
 * @param methods functions whose first argument is the object, by name
 * @param javaClass of the objects; null for those that are {@link ObjectNode}s
 * @param access for objects of that class; null for {@link ObjectNode}s
 * @param textField of types whose objects are saved as one string: the field that holds it; empty
 *     of all others
 * @param doc one sentence, or empty
 */
public record ObjectDeclaration(
    String key,
    String parent,
    ComparisonKind comparison,
    List<ObjectField> ownFields,
    Map<String, PackedFunc> methods,
    @Nullable Class<?> javaClass,
    @Nullable ObjectAccess access,
    String textField,
    String doc) {
  /** The key of the root of all objects. */
  public static final String OBJECT = "ffi.Object";

  /** Copies lists and maps. */
  public ObjectDeclaration {
    ownFields = List.copyOf(ownFields);
    methods = Map.copyOf(methods);
  }

  /** A type of {@link ObjectNode}s. */
  public static ObjectDeclaration of(
      String key, String parent, ComparisonKind comparison, List<ObjectField> ownFields) {
    return new ObjectDeclaration(key, parent, comparison, ownFields, Map.of(), null, null, "", "");
  }

  /**
   * The type of a record that has a {@link org.relaxvm.api.TypeKey}: its components are the fields,
   * and an {@link ObjectInfo} may say more.
   *
   * @param lookup of the caller, {@code MethodHandles.lookup()}, by which a package that is not
   *     open can be read
   * @throws IllegalArgumentException if the record lacks the annotation, has a component or a
   *     default value that cannot be one of a field, or cannot be read with the lookup
   */
  public static ObjectDeclaration ofRecord(
      MethodHandles.Lookup lookup, Class<? extends Record> type) {
    return RecordTypes.declare(lookup, type);
  }

  /** The same type with one method more. */
  public ObjectDeclaration withMethod(String name, PackedFunc function) {
    Map<String, PackedFunc> all = new LinkedHashMap<>(methods);
    all.put(name, function);
    return new ObjectDeclaration(
        key, parent, comparison, ownFields, all, javaClass, access, textField, doc);
  }

  /** The same type, whose objects are saved as the text of a field. */
  public ObjectDeclaration savedAs(String field) {
    return new ObjectDeclaration(
        key, parent, comparison, ownFields, methods, javaClass, access, field, doc);
  }
}
