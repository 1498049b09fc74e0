package org.relaxvm.objects.compare;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.object.ComparisonKind;
import org.relaxvm.api.object.DictObject;
import org.relaxvm.api.object.ListObject;
import org.relaxvm.api.object.ObjectType;
import org.relaxvm.api.object.ObjectTypes;

/**
 * A hash that values have in common if {@link StructuralEquality} finds them equal. The same in
 * each process; not that of the original, which depends on the platform.
 *
 * <p>Source: docs/spec/object-system.md, section 6.
 */
public final class StructuralHash {
  private static final long SEED = 0x9e3779b97f4a7c15L;

  /** Instead of a hash: the parts are being visited. */
  private static final Object OPEN = new Object();

  private final ObjectTypes types;
  private final CompareOptions options;
  private final Parts parts = new Parts();
  private final Map<Object, Integer> numbers = new IdentityHashMap<>();
  private final Deque<Task> tasks = new ArrayDeque<>();

  /** The hashes of composite values that are known to stay the same, as they know all variables. */
  private final Map<Object, Object> hashes = new IdentityHashMap<>();

  private long hash = SEED;

  /** How many keys of maps did not count as they were no known variables. */
  private int unknownKeys;

  private StructuralHash(ObjectTypes types, CompareOptions options) {
    this.types = types;
    this.options = options;
  }

  /** What is left to do. */
  private sealed interface Task {}

  /** A value. */
  private record Visit(@Nullable Object value, Binding binding) implements Task {}

  /**
   * A composite value whose parts were visited.
   *
   * @param outer the hash of what was visited before it
   * @param known how many variables had a number then
   * @param unknown how many keys did not count then
   */
  private record Leave(Object value, long outer, int known, int unknown) implements Task {}

  /** An object whose fields were visited. */
  private record Number(Object object) implements Task {}

  /** The functions of a module. */
  private record Names(@Nullable Object functions) implements Task {}

  /**
   * The hash of a value.
   *
   * @throws CallException a {@code TypeError} for objects whose type cannot be compared; a {@code
   *     ValueError} for a value that contains itself
   */
  public static long of(@Nullable Object value, ObjectTypes types, CompareOptions options) {
    StructuralHash hashing = new StructuralHash(types, options);
    hashing.tasks.push(new Visit(value, options.mapFreeVars() ? Binding.ON : Binding.OFF));
    while (!hashing.tasks.isEmpty()) {
      switch (hashing.tasks.pop()) {
        case Visit(Object next, Binding binding) -> hashing.visit(next, binding);
        case Leave leave -> hashing.leave(leave);
        case Number(Object object) -> hashing.numbers.put(object, hashing.numbers.size());
        case Names(Object functions) -> hashing.number(functions);
      }
    }
    return hashing.hash;
  }

  private void add(long value) {
    // A step of the generator splitmix64.
    long mixed = (hash ^ value) * 0xbf58476d1ce4e5b9L;
    mixed ^= mixed >>> 31;
    hash = mixed * 0x94d049bb133111ebL + 0x9e3779b97f4a7c15L;
  }

  private void add(String text) {
    add(text.length());
    for (int i = 0; i < text.length(); i++) {
      add(text.charAt(i));
    }
  }

  private void pushAll(List<Task> all) {
    for (Task task : all.reversed()) {
      tasks.push(task);
    }
  }

  /** Whether the parts of a composite value have to be visited; its hash begins anew. */
  private boolean enter(Object value) {
    Object known = hashes.putIfAbsent(value, OPEN);
    if (known == null) {
      tasks.push(new Leave(value, hash, numbers.size(), unknownKeys));
      hash = SEED;
      return true;
    }
    if (OPEN.equals(known)) {
      throw new CallException(
          ErrorKind.VALUE, "a value of " + types.keyOf(value) + " contains itself");
    }
    add((Long) known);
    return false;
  }

  private void leave(Leave leave) {
    if (numbers.size() == leave.known() && unknownKeys == leave.unknown()) {
      hashes.put(leave.value(), hash);
    } else {
      hashes.remove(leave.value());
    }
    long own = hash;
    hash = leave.outer();
    add(own);
  }

  private void visit(@Nullable Object value, Binding binding) {
    add(types.keyOf(value));
    if (value != null && Step.isContainer(value) && !enter(value)) {
      return;
    }
    switch (value) {
      case null -> {}
      case Long number -> add(number);
      case Boolean bool -> add(bool ? 1 : 0);
      case Double number -> add(Double.doubleToLongBits(number));
      case byte[] bytes -> add(Arrays.hashCode(bytes));
      case Shape shape -> add(shape.hashCode());
      case Tensor tensor -> tensor(tensor);
      case List<?> list -> elements(list, binding);
      case ListObject list -> elements(list.elements(), binding);
      case Map<?, ?> map -> entries(map, binding);
      case DictObject dict -> entries(dict.entries(), binding);
      default -> {
        ObjectType type = types.typeOf(value).orElse(null);
        if (type != null) {
          object(type, value, binding);
        } else {
          add(value.toString());
        }
      }
    }
  }

  private void tensor(Tensor tensor) {
    add(tensor.dtype().toString());
    add(tensor.shape().hashCode());
    if (!options.skipTensorContent()) {
      MemorySegment bytes = tensor.segment();
      long end = tensor.byteSize();
      long i = 0;
      for (; i + Long.BYTES <= end; i += Long.BYTES) {
        add(bytes.get(ValueLayout.JAVA_LONG_UNALIGNED, i));
      }
      for (; i < end; i++) {
        add(bytes.get(ValueLayout.JAVA_BYTE, i));
      }
    }
  }

  private void elements(List<?> list, Binding binding) {
    add(list.size());
    List<Task> all = new ArrayList<>();
    list.forEach(element -> all.add(new Visit(element, binding)));
    pushAll(all);
  }

  /** Entries of keys that are values or known variables count, in an order of their keys. */
  private void entries(Map<?, ?> map, Binding binding) {
    add(map.size());
    record Entry(String key, @Nullable Object value) {}
    List<Entry> entries = new ArrayList<>();
    map.forEach(
        (key, value) -> {
          Integer number = numbers.get(key);
          if (number != null) {
            entries.add(new Entry("variable " + number, value));
          } else if (key instanceof String || key instanceof Long || key instanceof Boolean) {
            entries.add(new Entry(types.keyOf(key) + " " + key, value));
          } else {
            unknownKeys++;
          }
        });
    entries.sort(Comparator.comparing(Entry::key));
    List<Task> all = new ArrayList<>();
    for (Entry entry : entries) {
      all.add(new Visit(entry.key(), Binding.OFF));
      all.add(new Visit(entry.value(), binding));
    }
    pushAll(all);
  }

  private void object(ObjectType type, Object object, Binding binding) {
    if (type.comparison() == ComparisonKind.UNSUPPORTED) {
      throw new CallException(
          ErrorKind.TYPE, "objects of type " + type.key() + " cannot be compared");
    }
    Integer number = numbers.get(object);
    if (number != null) {
      add(number);
      return;
    }
    Binding within = binding;
    boolean isVariable = type.comparison() == ComparisonKind.FREE_VARIABLE;
    if (isVariable || type.comparison() == ComparisonKind.DAG) {
      tasks.push(new Number(object));
    } else if (!enter(object)) {
      return;
    }
    if (isVariable) {
      within = binding.withinVariable();
      if (binding == Binding.OFF && type.fieldNumber("name") >= 0) {
        // Equal to itself only, so that its name is the same, too.
        add(String.valueOf(type.get(object, type.fieldNumber("name"))));
      }
    }
    fields(type, object, within);
  }

  private void fields(ObjectType type, Object object, Binding binding) {
    List<Task> all = new ArrayList<>();
    for (int field : parts.of(type, object)) {
      if (type.key().equals("ir.IRModule") && type.fields().get(field).name().equals("functions")) {
        all.add(new Names(type.get(object, field)));
      }
      all.add(new Visit(type.get(object, field), binding.within(type.fields().get(field).role())));
    }
    pushAll(all);
  }

  private void number(@Nullable Object functions) {
    if (functions instanceof Map<?, ?> map) {
      map.keySet().stream()
          .sorted(Comparator.comparing(this::nameOf))
          .filter(key -> !numbers.containsKey(key))
          .forEach(
              key -> {
                add(nameOf(key));
                numbers.put(key, numbers.size());
              });
    }
  }

  private String nameOf(Object variable) {
    return types
        .typeOf(variable)
        .filter(type -> type.key().equals("ir.GlobalVar"))
        .map(type -> String.valueOf(type.get(variable, type.requireField("name_hint"))))
        .orElse("");
  }
}
