package org.relaxvm.objects.compare;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.object.ComparisonKind;
import org.relaxvm.api.object.DictObject;
import org.relaxvm.api.object.ListObject;
import org.relaxvm.api.object.ObjectType;
import org.relaxvm.api.object.ObjectTypes;

/**
 * Whether two values are the same up to the names of variables, and where they differ first. An
 * explicit stack instead of recursion makes depth no limit.
 *
 * <p>Source: docs/spec/object-system.md, section 6.
 */
public final class StructuralEquality {
  /** Instead of an equal value: the parts are being compared. */
  private static final Object OPEN = new Object();

  private final ObjectTypes types;
  private final CompareOptions options;
  private final Parts parts = new Parts();
  private final Map<Object, Object> rightOf = new IdentityHashMap<>();
  private final Map<Object, Object> leftOf = new IdentityHashMap<>();

  /**
   * What a composite value was last found equal to, so that values that are referred to often are
   * compared once. What corresponds is never changed, so that it stays so.
   */
  private final Map<Object, Object> equalTo = new IdentityHashMap<>();

  private final Deque<Task> tasks = new ArrayDeque<>();
  private @Nullable Mismatch mismatch;

  private StructuralEquality(ObjectTypes types, CompareOptions options) {
    this.types = types;
    this.options = options;
  }

  /** What is left to do. */
  private sealed interface Task {}

  /** Two values. */
  private record Pair(
      @Nullable Object left,
      @Nullable Object right,
      AccessPath.@Nullable Link leftPath,
      AccessPath.@Nullable Link rightPath,
      Binding binding)
      implements Task {}

  /** Two composite values whose parts were equal. */
  private record Same(Object left, Object right) implements Task {}

  /** Two objects whose fields were equal. */
  private record Correspondence(Object left, Object right) implements Task {}

  /** The functions of two modules, whose names stand for each other. */
  private record Names(@Nullable Object left, @Nullable Object right) implements Task {}

  /** A part that one side lacks. */
  private record Lack(Mismatch mismatch) implements Task {}

  /**
   * Whether two values are equal.
   *
   * @throws CallException as {@link #firstMismatch}
   */
  public static boolean areEqual(
      @Nullable Object left, @Nullable Object right, ObjectTypes types, CompareOptions options) {
    return firstMismatch(left, right, types, options).isEmpty();
  }

  /**
   * The first difference of two values; empty if they are equal.
   *
   * @throws CallException a {@code TypeError} for objects whose type cannot be compared; a {@code
   *     ValueError} for a value that contains itself
   */
  public static Optional<Mismatch> firstMismatch(
      @Nullable Object left, @Nullable Object right, ObjectTypes types, CompareOptions options) {
    StructuralEquality comparison = new StructuralEquality(types, options);
    comparison.tasks.push(
        new Pair(left, right, null, null, options.mapFreeVars() ? Binding.ON : Binding.OFF));
    while (comparison.mismatch == null && !comparison.tasks.isEmpty()) {
      comparison.run(comparison.tasks.pop());
    }
    return Optional.ofNullable(comparison.mismatch);
  }

  private void run(Task task) {
    switch (task) {
      case Pair pair -> compare(pair);
      case Same(Object left, Object right) -> equalTo.put(left, right);
      case Correspondence(Object left, Object right) -> correspond(left, right);
      case Names(Object left, Object right) -> bindNames(left, right);
      case Lack(Mismatch lack) -> mismatch = lack;
    }
  }

  private void correspond(Object left, Object right) {
    rightOf.put(left, right);
    leftOf.put(right, left);
  }

  private void differ(Pair pair) {
    mismatch =
        new Mismatch(
            AccessPath.Link.path(pair.leftPath()),
            AccessPath.Link.path(pair.rightPath()),
            pair.left(),
            pair.right());
  }

  /** Tasks are pushed in reverse, so that the first is done first. */
  private void pushAll(List<Task> all) {
    for (Task task : all.reversed()) {
      tasks.push(task);
    }
  }

  // ---------------------------------------------------------------- values

  /** Whether the parts of two composite values have to be compared; notes that they are. */
  private boolean enter(Pair pair, Object left, Object right) {
    Object partner = equalTo.put(left, OPEN);
    if (OPEN.equals(partner)) {
      throw new CallException(
          ErrorKind.VALUE,
          "a value of "
              + types.keyOf(left)
              + " contains itself\n  at: "
              + AccessPath.Link.path(pair.leftPath()));
    }
    if (partner != null && isSame(partner, right)) {
      equalTo.put(left, right);
      return false;
    }
    tasks.push(new Same(left, right));
    return true;
  }

  private void compare(Pair pair) {
    Object left = pair.left();
    Object right = pair.right();
    if (left == null || right == null || !types.keyOf(left).equals(types.keyOf(right))) {
      require(pair, left == null && right == null);
      return;
    }
    if (Step.isContainer(left) && !enter(pair, left, right)) {
      return;
    }
    switch (left) {
      case List<?> list -> elements(pair, list, (List<?>) right);
      case ListObject list -> elements(pair, list.elements(), ((ListObject) right).elements());
      case Map<?, ?> map -> entries(pair, map, (Map<?, ?>) right);
      case DictObject dict -> entries(pair, dict.entries(), ((DictObject) right).entries());
      case Tensor tensor -> require(pair, areEqual(tensor, (Tensor) right));
      case byte[] bytes -> require(pair, Arrays.equals(bytes, (byte[]) right));
      default -> {
        ObjectType type = types.typeOf(left).orElse(null);
        if (type != null) {
          objects(pair, type, left, right);
        } else {
          require(pair, left.equals(right));
        }
      }
    }
  }

  private void require(Pair pair, boolean isEqual) {
    if (!isEqual) {
      differ(pair);
    }
  }

  private boolean areEqual(Tensor left, Tensor right) {
    if (!left.dtype().equals(right.dtype()) || !left.shape().equals(right.shape())) {
      return false;
    }
    return options.skipTensorContent()
        || MemorySegment.mismatch(
                left.segment(), 0, left.byteSize(), right.segment(), 0, right.byteSize())
            == -1;
  }

  private void elements(Pair pair, List<?> left, List<?> right) {
    List<Task> all = new ArrayList<>();
    int common = Math.min(left.size(), right.size());
    for (int i = 0; i < common; i++) {
      Step step = new Step.OfElement(i, false);
      all.add(part(pair, left.get(i), right.get(i), step, pair.binding()));
    }
    if (left.size() != right.size()) {
      boolean isLeftLonger = left.size() > right.size();
      all.add(
          lack(
              pair,
              new Step.OfElement(common, !isLeftLonger),
              new Step.OfElement(common, isLeftLonger),
              isLeftLonger ? left.get(common) : null,
              isLeftLonger ? null : right.get(common)));
    }
    pushAll(all);
  }

  private static Pair part(
      Pair pair, @Nullable Object left, @Nullable Object right, Step step, Binding binding) {
    return new Pair(
        left,
        right,
        AccessPath.Link.of(pair.leftPath(), step),
        AccessPath.Link.of(pair.rightPath(), step),
        binding);
  }

  private static Lack lack(
      Pair pair, Step left, Step right, @Nullable Object leftValue, @Nullable Object rightValue) {
    return new Lack(
        new Mismatch(
            AccessPath.Link.path(AccessPath.Link.of(pair.leftPath(), left)),
            AccessPath.Link.path(AccessPath.Link.of(pair.rightPath(), right)),
            leftValue,
            rightValue));
  }

  private void entries(Pair pair, Map<?, ?> left, Map<?, ?> right) {
    Map<?, ?> inLeft = byContent(left);
    Map<?, ?> inRight = byContent(right);
    List<Task> all = new ArrayList<>();
    for (Map.Entry<?, ?> entry : left.entrySet()) {
      Object key = entry.getKey();
      Object other = key == null ? null : rightOf.getOrDefault(key, key);
      if (inRight.containsKey(content(other))) {
        Step step = new Step.OfKey(types, key, false);
        all.add(part(pair, entry.getValue(), inRight.get(content(other)), step, pair.binding()));
      } else {
        all.add(
            lack(
                pair,
                new Step.OfKey(types, key, false),
                new Step.OfKey(types, other, true),
                entry.getValue(),
                null));
        break;
      }
    }
    for (Map.Entry<?, ?> entry : right.entrySet()) {
      Object key = entry.getKey();
      Object other = key == null ? null : leftOf.getOrDefault(key, key);
      if (!inLeft.containsKey(content(other))) {
        all.add(
            lack(
                pair,
                new Step.OfKey(types, other, true),
                new Step.OfKey(types, key, false),
                null,
                entry.getValue()));
        break;
      }
    }
    pushAll(all);
  }

  /** A map whose keys can be looked for: arrays of bytes, which Java compares by identity, too. */
  private static Map<?, ?> byContent(Map<?, ?> map) {
    if (map.keySet().stream().noneMatch(byte[].class::isInstance)) {
      return map;
    }
    Map<@Nullable Object, @Nullable Object> byContent = new HashMap<>();
    map.forEach((key, value) -> byContent.put(content(key), value));
    return byContent;
  }

  private static @Nullable Object content(@Nullable Object key) {
    return key instanceof byte[] bytes ? ByteBuffer.wrap(bytes) : key;
  }

  // ---------------------------------------------------------------- objects

  private void objects(Pair pair, ObjectType type, Object left, Object right) {
    switch (type.comparison()) {
      case UNSUPPORTED ->
          throw new CallException(
              ErrorKind.TYPE,
              "objects of type "
                  + type.key()
                  + " cannot be compared\n  at: "
                  + AccessPath.Link.path(pair.leftPath()));
      case UNIQUE -> require(pair, isSame(left, right) || isSameName(type, left, right));
      case CONSTANT_TREE -> {
        if (!isSame(left, right)) {
          tree(pair, type, left, right);
        }
      }
      case TREE -> tree(pair, type, left, right);
      case FREE_VARIABLE, DAG -> known(pair, type, left, right);
    }
  }

  private void tree(Pair pair, ObjectType type, Object left, Object right) {
    if (enter(pair, left, right)) {
      fields(pair, type, left, right);
    }
  }

  @SuppressWarnings("ReferenceEquality") // that very object
  private static boolean isSame(Object left, Object right) {
    return left == right;
  }

  private static boolean isSameName(ObjectType type, Object left, Object right) {
    return type.textField()
        .map(type::requireField)
        .map(field -> Objects.equals(type.get(left, field), type.get(right, field)))
        .orElse(false);
  }

  /** Objects that may correspond to others already. */
  private void known(Pair pair, ObjectType type, Object left, Object right) {
    Object partner = rightOf.get(left);
    if (partner != null) {
      require(pair, isSame(partner, right));
      return;
    }
    if (leftOf.containsKey(right)) {
      differ(pair);
      return;
    }
    boolean isVariable = type.comparison() == ComparisonKind.FREE_VARIABLE;
    Pair within = pair;
    if (isVariable) {
      // What its name says is told before whether it is known.
      boolean isDefined = pair.binding() != Binding.OFF || isSame(left, right);
      if (!isDefined && !type.key().equals("ir.GlobalVar")) {
        differ(pair);
        return;
      }
      within =
          new Pair(left, right, pair.leftPath(), pair.rightPath(), pair.binding().withinVariable());
      tasks.push(
          isDefined
              ? new Correspondence(left, right)
              : new Lack(
                  new Mismatch(
                      AccessPath.Link.path(pair.leftPath()),
                      AccessPath.Link.path(pair.rightPath()),
                      left,
                      right)));
    } else {
      tasks.push(new Correspondence(left, right));
    }
    fields(within, type, left, right);
  }

  private void fields(Pair pair, ObjectType type, Object left, Object right) {
    List<Task> all = new ArrayList<>();
    for (int field : parts.of(type, left)) {
      String name = type.fields().get(field).name();
      if (name.equals("functions") && type.key().equals("ir.IRModule")) {
        all.add(new Names(type.get(left, field), type.get(right, field)));
      }
      all.add(
          part(
              pair,
              type.get(left, field),
              type.get(right, field),
              new Step.OfField(name),
              pair.binding().within(type.fields().get(field).role())));
    }
    pushAll(all);
  }

  /** Names of functions correspond where they are equal. */
  private void bindNames(@Nullable Object left, @Nullable Object right) {
    if (left instanceof Map<?, ?> functions && right instanceof Map<?, ?> others) {
      Map<Object, Object> byName = new HashMap<>();
      others.keySet().forEach(key -> byName.put(nameOf(key), key));
      for (Object key : functions.keySet()) {
        Object other = byName.get(nameOf(key));
        if (other != null && !rightOf.containsKey(key) && !leftOf.containsKey(other)) {
          correspond(key, other);
        }
      }
    }
  }

  private Object nameOf(Object variable) {
    return types
        .typeOf(variable)
        .filter(type -> type.key().equals("ir.GlobalVar"))
        .map(type -> type.get(variable, type.requireField("name_hint")))
        .orElse(variable);
  }
}
