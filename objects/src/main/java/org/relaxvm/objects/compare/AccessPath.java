package org.relaxvm.objects.compare;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.object.DictObject;
import org.relaxvm.api.object.ListObject;
import org.relaxvm.api.object.ObjectType;
import org.relaxvm.api.object.ObjectTypes;

/**
 * Where a value is within another, such as {@code <root>.body.blocks[0]}.
 *
 * @param steps from the root, each as text: {@code .field}, {@code [index]}, {@code ["key"]}, or
 *     {@code [<missing:...>]} for what the other side has
 */
public record AccessPath(List<String> steps) {
  private static final String ROOT = "<root>";
  private static final int MAX_NAMES = 40;

  /** A step: a name after a dot, or anything in brackets, where brackets in quotes do not count. */
  private static final Pattern STEP =
      Pattern.compile("\\.(\\w+)|\\[((?:[^\\[\\]\"]|\"(?:[^\"\\\\]|\\\\.)*+\")*+)]");

  /** Copies the list. */
  public AccessPath {
    steps = List.copyOf(steps);
  }

  /**
   * Reads a path as {@link #toString} writes it; {@code <root>} and the first dot may be left out.
   *
   * @throws CallException a {@code ValueError} for another text
   */
  public static AccessPath parse(String text) {
    String rest = text.startsWith(ROOT) ? text.substring(ROOT.length()) : text;
    if (!rest.isEmpty() && rest.charAt(0) != '.' && rest.charAt(0) != '[') {
      rest = "." + rest;
    }
    List<String> steps = new ArrayList<>();
    Matcher matcher = STEP.matcher(rest);
    int end = 0;
    while (matcher.lookingAt()) {
      steps.add(matcher.group());
      end = matcher.end();
      matcher.region(end, rest.length());
    }
    if (end < rest.length()) {
      throw new CallException(
          ErrorKind.VALUE,
          "malformed path '"
              + text
              + "' at '"
              + rest.substring(end)
              + "'\n  expected: steps such as .field, [0] or [\"key\"]");
    }
    return new AccessPath(steps);
  }

  /** The step to the value of a key of a map. */
  public static String ofKey(@Nullable Object key, ObjectTypes types) {
    return new Step.OfKey(types, key, false).toString();
  }

  /**
   * The value at the path. A variable is found as a key by its name, {@code ["main"]} too.
   *
   * @throws CallException a {@code ValueError} that names the step that does not exist, and what
   *     there is instead
   */
  public @Nullable Object find(@Nullable Object root, ObjectTypes types) {
    Object value = root;
    for (int i = 0; i < steps.size(); i++) {
      String step = steps.get(i);
      AccessPath here = new AccessPath(steps.subList(0, i));
      value =
          step.startsWith(".")
              ? field(here, value, step.substring(1), types)
              : element(here, value, step.substring(1, step.length() - 1), types);
    }
    return value;
  }

  private static @Nullable Object field(
      AccessPath here, @Nullable Object value, String name, ObjectTypes types) {
    ObjectType type = types.typeOf(value).orElse(null);
    if (type == null || value == null) {
      throw missing(here, "." + name, "a value of " + types.keyOf(value) + " has no fields");
    }
    if (type.fieldNumber(name) < 0) {
      List<String> names = type.fields().stream().map(field -> field.name()).toList();
      throw missing(here, "." + name, type + " has " + String.join(", ", names));
    }
    return type.get(value, type.requireField(name));
  }

  private static @Nullable Object element(
      AccessPath here, @Nullable Object value, String key, ObjectTypes types) {
    return switch (value) {
      case List<?> list -> element(here, list, key);
      case ListObject list -> element(here, list.elements(), key);
      case Map<?, ?> map -> entry(here, map, key, types);
      case DictObject dict -> entry(here, dict.entries(), key, types);
      case null, default ->
          throw missing(
              here, "[" + key + "]", "a value of " + types.keyOf(value) + " has no elements");
    };
  }

  private static @Nullable Object element(AccessPath here, List<?> list, String key) {
    try {
      return list.get(Integer.parseInt(key));
    } catch (NumberFormatException | IndexOutOfBoundsException e) {
      throw missing(here, "[" + key + "]", "it has " + list.size() + " elements");
    }
  }

  private static @Nullable Object entry(
      AccessPath here, Map<?, ?> map, String key, ObjectTypes types) {
    List<String> names = new ArrayList<>();
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      String name = Step.OfKey.text(entry.getKey(), types);
      if (name.equals(key) || name.equals("I.GlobalVar(" + key + ")")) {
        return entry.getValue();
      }
      names.add("[" + name + "]");
    }
    throw missing(here, "[" + key + "]", "it has " + listed(names));
  }

  private static String listed(List<String> names) {
    int more = names.size() - MAX_NAMES;
    return String.join(", ", more > 0 ? names.subList(0, MAX_NAMES) : names)
        + (more > 0 ? " and " + more + " more" : "");
  }

  private static CallException missing(AccessPath here, String step, String instead) {
    return new CallException(
        ErrorKind.VALUE, here + " has no " + step + "\n  what there is: " + instead);
  }

  @Override
  public String toString() {
    return ROOT + String.join("", steps);
  }

  /** A path that shares its beginning with others. */
  static final class Link {
    private final @Nullable Link before;
    private final Object step;

    private Link(@Nullable Link before, Object step) {
      this.before = before;
      this.step = step;
    }

    /**
     * A path of one step more.
     *
     * @param before null for the root
     * @param step its text, which may be made when the path is shown only
     */
    static Link of(@Nullable Link before, Object step) {
      return new Link(before, step);
    }

    static AccessPath path(@Nullable Link last) {
      Deque<String> steps = new ArrayDeque<>();
      for (Link link = last; link != null; link = link.before) {
        steps.addFirst(link.step.toString());
      }
      return new AccessPath(List.copyOf(steps));
    }
  }
}
