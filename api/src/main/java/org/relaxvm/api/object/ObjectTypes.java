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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.discovery.ProviderBridge;
import org.relaxvm.api.discovery.ProviderBridge.Failure;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.object.TypeDiscovery.Origin;
import org.relaxvm.api.registry.Diagnosis;

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
  private final Map<String, String> unusable = new HashMap<>();
  private List<Diagnosis> diagnoses = List.of();

  private ObjectTypes() {
    StaticTypes.all().forEach((key, index) -> addLinked(value(key), index));
  }

  private static ObjectDeclaration value(String key) {
    boolean isObject = key.startsWith("ffi.") && !key.equals(ObjectDeclaration.OBJECT);
    return ObjectDeclaration.of(
        key, isObject ? ObjectDeclaration.OBJECT : "", ComparisonKind.UNSUPPORTED, List.of());
  }

  /**
   * The types of all providers that the context class loader of this thread finds, or that of
   * RelaxVM where the thread has none. A provider that cannot be used, and a type that two jars
   * declare, is left out and told in {@link #diagnose()}.
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
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    return link(
        new TypeDiscovery(first, context != null ? context : ObjectTypes.class.getClassLoader()));
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
      if (origins.put(declaration.key(), new Origin(declaration, null)) != null) {
        throw new CallException(
            ErrorKind.VALUE, "the type " + declaration.key() + " is declared twice");
      }
    }
    ObjectTypes types = new ObjectTypes();
    types.names.putAll(names);
    parentsFirst(origins).forEach(origin -> types.add(origin, origins.keySet()));
    return types;
  }

  private static ObjectTypes link(TypeDiscovery found) {
    ObjectTypes types = new ObjectTypes();
    types.names.putAll(found.names());
    types.unusable.putAll(found.unusable());
    for (Origin origin : parentsFirst(found.origins())) {
      if (ProviderBridge.attemptRun(() -> types.add(origin, found.origins().keySet()))
          instanceof Failure<Boolean>(Throwable cause)) {
        String text = cause instanceof RelaxException e ? e.summary() : cause.toString();
        types.unusable.put(origin.key(), text);
        if (origin.slot() != null) {
          origin.slot().fault(text);
        }
      }
    }
    types.diagnoses = found.slots().stream().map(TypeSlot::diagnose).toList();
    return types;
  }

  private static Collection<Origin> parentsFirst(Map<String, Origin> origins) {
    Map<String, Origin> ordered = new LinkedHashMap<>();
    for (Origin origin : origins.values()) {
      Deque<Origin> line = new ArrayDeque<>();
      Set<String> keys = new HashSet<>();
      Origin next = origin;
      while (next != null && !ordered.containsKey(next.key()) && keys.add(next.key())) {
        line.push(next);
        next = origins.get(next.declaration().parent());
      }
      line.forEach(each -> ordered.put(each.key(), each));
    }
    return ordered.values();
  }

  private void add(Origin origin, Set<String> declared) {
    ObjectDeclaration declaration = origin.declaration();
    String parent = declaration.parent();
    if (byKey.containsKey(origin.key())) {
      throw new CallException(
          ErrorKind.VALUE, "the type " + origin.key() + " is a value of RelaxVM");
    }
    if (!parent.isEmpty() && !byKey.containsKey(parent)) {
      String why =
          unusable.containsKey(parent)
              ? "cannot be used"
              : declared.contains(parent) ? "extends it" : "is not declared";
      throw new CallException(
          ErrorKind.VALUE, "the type " + origin.key() + " extends " + parent + ", which " + why);
    }
    int index = FIRST_DYNAMIC_INDEX + byKey.size() - StaticTypes.all().size();
    addLinked(declaration, index);
  }

  private void addLinked(ObjectDeclaration declaration, int index) {
    ObjectType type = new ObjectType(this, declaration, index, byKey.get(declaration.parent()));
    byKey.put(type.key(), type);
    type.javaClass().ifPresent(javaClass -> byClass.put(javaClass, type));
  }

  /**
   * Every provider that {@link #discover()} found, good or bad, in order of discovery; none where
   * the types were given.
   */
  public List<Diagnosis> diagnose() {
    return diagnoses;
  }

  private String problems() {
    return diagnoses.stream()
        .filter(found -> !found.remedy().isEmpty())
        .map(found -> "\n  problem: " + found)
        .collect(Collectors.joining());
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
      String why = unusable.get(key);
      throw new CallException(
          ErrorKind.TYPE,
          "Cannot find type `"
              + key
              + "`"
              + (why == null
                  ? problems() + "\n  what to do: put the jar that declares it on the class path"
                  : "\n  because: " + why + "\n  what to do: replace or remove one of the jars"));
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
    if (!(given.value() instanceof ObjectField.Unknown(String key))) {
      return given.value();
    }
    Object known = unknowns.get(key);
    if (known != null) {
      return known;
    }
    // Not within computeIfAbsent: the object may need other default values that are objects.
    Object made = require(key).create(Map.of());
    Object first = unknowns.putIfAbsent(key, made);
    return first == null ? made : first;
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
                              + " is not an object type"
                              + problems()
                              + "\n  what to do: declare it by an ObjectTypeProvider"));
    };
  }
}
