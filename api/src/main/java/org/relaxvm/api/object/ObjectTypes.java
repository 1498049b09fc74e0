package org.relaxvm.api.object;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

/**
 * The types that are known: key to type, class to type. Indices from 128 on are allotted in the
 * order of registration. Immutable and thread-safe.
 *
 * <p>Source: docs/spec/object-system.md, section 1.
 */
public final class ObjectTypes {
  private static final int FIRST_DYNAMIC_INDEX = 128;

  private final Map<String, ObjectType> byKey = new LinkedHashMap<>();
  private final Map<Class<?>, ObjectType> byClass = new HashMap<>();
  private final Map<String, Set<String>> names = new HashMap<>();
  private final Map<String, Object> unknowns = new ConcurrentHashMap<>();

  private ObjectTypes() {
    StaticTypes.all().forEach((key, index) -> add(new Origin(value(key), "RelaxVM"), index));
  }

  private static ObjectDeclaration value(String key) {
    boolean isObject = key.startsWith("ffi.") && !key.equals(ObjectDeclaration.OBJECT);
    return ObjectDeclaration.of(
        key, isObject ? ObjectDeclaration.OBJECT : "", ComparisonKind.UNSUPPORTED, List.of());
  }

  /** A declaration and where it is from. */
  private record Origin(ObjectDeclaration declaration, String place) {}

  /**
   * The types of all providers that the class loader of this thread and that of RelaxVM find.
   *
   * @throws CallException a {@code ValueError} if two jars declare the same key
   */
  public static ObjectTypes discover() {
    return discover(List.of());
  }

  /**
   * As {@link #discover()}, with types instead of those of the same key that providers declare.
   *
   * @param first registered before all others
   */
  public static ObjectTypes discover(Collection<ObjectDeclaration> first) {
    Map<String, Origin> origins = new LinkedHashMap<>();
    first.forEach(declaration -> origins.put(declaration.key(), new Origin(declaration, "")));
    Map<String, Set<String>> names = new HashMap<>();
    for (ObjectTypeProvider provider : ServiceLoader.load(ObjectTypeProvider.class)) {
      merge(names, provider.names());
      String place = place(provider.getClass());
      for (ObjectDeclaration declaration : provider.types()) {
        Origin known = origins.putIfAbsent(declaration.key(), new Origin(declaration, place));
        if (known != null && !known.place().isEmpty()) {
          throw duplicate(declaration.key(), known.place(), place);
        }
      }
    }
    return link(origins, names);
  }

  /**
   * The types that {@link #discover()} finds when they are asked for the first time; the same from
   * then on. Thread-safe.
   */
  public static Supplier<ObjectTypes> onDemand() {
    return new Supplier<>() {
      private @Nullable ObjectTypes found;

      @Override
      public synchronized ObjectTypes get() {
        ObjectTypes known = found;
        if (known == null) {
          known = discover();
          found = known;
        }
        return known;
      }
    };
  }

  private static void merge(Map<String, Set<String>> all, Map<String, Set<String>> more) {
    more.forEach((key, names) -> all.computeIfAbsent(key, _ -> new HashSet<>()).addAll(names));
  }

  /**
   * The types of some declarations.
   *
   * @throws CallException a {@code ValueError} if two have the same key, or a parent is missing
   */
  public static ObjectTypes of(Collection<ObjectDeclaration> declarations) {
    return of(declarations, Map.of());
  }

  /**
   * As {@link #of(Collection)}, with the names that objects which are saved as a text can have.
   *
   * @param names by type key; objects of types without an entry can have any name
   */
  public static ObjectTypes of(
      Collection<ObjectDeclaration> declarations, Map<String, Set<String>> names) {
    Map<String, Origin> origins = new LinkedHashMap<>();
    for (ObjectDeclaration declaration : declarations) {
      if (origins.put(declaration.key(), new Origin(declaration, "the list")) != null) {
        throw duplicate(declaration.key(), "the list", "the list");
      }
    }
    return link(origins, names);
  }

  private static String place(Class<?> provider) {
    var source = provider.getProtectionDomain().getCodeSource();
    return source == null || source.getLocation() == null
        ? provider.getName()
        : source.getLocation() + " (" + provider.getName() + ")";
  }

  private static CallException duplicate(String key, String first, String second) {
    return new CallException(
        ErrorKind.VALUE,
        "the type "
            + key
            + " is declared twice\n  by: "
            + first
            + "\n  and: "
            + second
            + "\n  what to do: remove one of the jars, or give one type another key");
  }

  private static ObjectTypes link(Map<String, Origin> origins, Map<String, Set<String>> names) {
    ObjectTypes types = new ObjectTypes();
    types.names.putAll(names);
    Deque<String> pending = new ArrayDeque<>();
    for (String key : origins.keySet()) {
      pending.push(key);
      while (!pending.isEmpty()) {
        Origin origin = origins.get(pending.peek());
        String parent = origin == null ? "" : origin.declaration().parent();
        if (origin == null || types.byKey.containsKey(pending.peek())) {
          pending.pop();
        } else if (parent.isEmpty() || types.byKey.containsKey(parent)) {
          types.add(origin, FIRST_DYNAMIC_INDEX + types.byKey.size() - StaticTypes.all().size());
          pending.pop();
        } else if (pending.contains(parent) || !origins.containsKey(parent)) {
          throw new CallException(
              ErrorKind.VALUE,
              "the type "
                  + origin.declaration().key()
                  + " extends "
                  + parent
                  + (pending.contains(parent) ? ", which extends it" : ", which is not declared"));
        } else {
          pending.push(parent);
        }
      }
    }
    return types;
  }

  private void add(Origin origin, int index) {
    ObjectDeclaration declaration = origin.declaration();
    ObjectType known = byKey.get(declaration.key());
    if (known != null) {
      throw duplicate(declaration.key(), "RelaxVM", origin.place());
    }
    ObjectType type = new ObjectType(this, declaration, index, byKey.get(declaration.parent()));
    byKey.put(type.key(), type);
    type.javaClass().ifPresent(javaClass -> byClass.put(javaClass, type));
  }

  /** All types, parents before children. */
  public Collection<ObjectType> all() {
    return List.copyOf(byKey.values());
  }

  /** The type of a key; empty if there is none. */
  public Optional<ObjectType> find(String key) {
    return Optional.ofNullable(byKey.get(key));
  }

  /**
   * The type of a key.
   *
   * @throws CallException a {@code TypeError} if there is none
   */
  public ObjectType require(String key) {
    ObjectType type = byKey.get(key);
    if (type == null) {
      throw new CallException(
          ErrorKind.TYPE,
          "Cannot find type `"
              + key
              + "`\n  what to do: put the jar that declares it on the class path");
    }
    return type;
  }

  /** Whether an object of a type that is saved as a text may have a name. */
  public boolean isKnownName(String typeKey, String name) {
    Set<String> known = names.get(typeKey);
    return known == null || known.contains(name);
  }

  /** The value of a field of an object that is made without one; always the same object. */
  @Nullable Object defaultValue(ObjectField.Default given) {
    return given.value() instanceof ObjectField.Unknown(String key)
        ? unknowns.computeIfAbsent(key, _ -> require(key).create(Map.of()))
        : given.value();
  }

  /** The type of the fields of an object; empty for values, and for classes without a type. */
  public Optional<ObjectType> typeOf(@Nullable Object object) {
    if (object instanceof ObjectNode node) {
      return Optional.of(node.type());
    }
    return object == null ? Optional.empty() : Optional.ofNullable(byClass.get(object.getClass()));
  }

  /**
   * The key of a value or an object.
   *
   * @throws CallException a {@code TypeError} for a class without a type
   */
  public String keyOf(@Nullable Object value) {
    return switch (value) {
      case null -> "None";
      case Long _ -> "int";
      case Boolean _ -> "bool";
      case Double _ -> "float";
      case String _ -> "ffi.String";
      case byte[] _ -> "ffi.Bytes";
      case DType _ -> "DataType";
      case DeviceId _ -> "Device";
      case Shape _ -> "ffi.Shape";
      case Tensor _ -> "ffi.Tensor";
      case List<?> _ -> "ffi.Array";
      case Map<?, ?> _ -> "ffi.Map";
      case ListObject _ -> "ffi.List";
      case DictObject _ -> "ffi.Dict";
      case ModuleBytes _ -> "ffi.Module";
      case PackedFunc _ -> "ffi.Function";
      default ->
          typeOf(value)
              .map(ObjectType::key)
              .orElseThrow(
                  () ->
                      new CallException(
                          ErrorKind.TYPE,
                          value.getClass().getName()
                              + " is not an object type\n  what to do: declare it by an"
                              + " ObjectTypeProvider"));
    };
  }
}
