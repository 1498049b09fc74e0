package org.relaxvm.cli.inspect;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.object.DictObject;
import org.relaxvm.api.object.ListObject;
import org.relaxvm.api.object.ObjectField;
import org.relaxvm.api.object.ObjectType;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.api.object.Representation;
import org.relaxvm.objects.compare.AccessPath;

/**
 * An object by its fields, a line each, indented. What is deep or long is cut; an object that was
 * shown before is named by its path.
 */
public final class ObjectTree {
  private static final int MAX_DEPTH = 6;
  private static final int MAX_ELEMENTS = 40;
  private static final int MAX_TEXT = 100;
  private static final String INDENT = "  ";

  private final ObjectTypes types;
  private final Map<Object, String> shown = new IdentityHashMap<>();
  private final List<String> lines = new ArrayList<>();

  private ObjectTree(ObjectTypes types) {
    this.types = types;
  }

  /**
   * The lines.
   *
   * @param path of the value, with which paths of its parts begin
   */
  public static List<String> lines(@Nullable Object value, String path, ObjectTypes types) {
    ObjectTree tree = new ObjectTree(types);
    tree.add(0, path, path, value);
    return tree.lines;
  }

  private void add(int depth, String name, String path, @Nullable Object value) {
    String before = value == null ? null : shown.get(value);
    if (before != null) {
      line(depth, name, types.keyOf(value) + ", as " + before);
      return;
    }
    switch (value) {
      case List<?> list -> elements(depth, name, path, list, list);
      case ListObject list -> elements(depth, name, path, list, list.elements());
      case Map<?, ?> map -> entries(depth, name, path, map, map);
      case DictObject dict -> entries(depth, name, path, dict, dict.entries());
      case null, default -> {
        ObjectType type = types.typeOf(value).orElse(null);
        if (type == null
            || value == null
            || type.fields().isEmpty()
            || type.textField().isPresent()) {
          line(depth, name, text(value));
        } else {
          fields(depth, name, path, type, value);
        }
      }
    }
  }

  private String text(@Nullable Object value) {
    String text = Representation.of(value, types);
    return text.length() <= MAX_TEXT ? text : text.substring(0, MAX_TEXT) + "...";
  }

  private void line(int depth, String name, String text) {
    lines.add(INDENT.repeat(depth) + name + ": " + text);
  }

  private boolean enter(int depth, String name, String path, Object value, String text, int count) {
    boolean isDeep = depth >= MAX_DEPTH && count > 0;
    line(depth, name, isDeep ? text + ", not shown: inspect --tree '" + path + "'" : text);
    if (count > 0) {
      shown.put(value, path);
    }
    return !isDeep;
  }

  private void fields(int depth, String name, String path, ObjectType type, Object value) {
    List<ObjectField> fields = type.fields();
    if (enter(depth, name, path, value, type.key(), fields.size())) {
      for (int i = 0; i < fields.size(); i++) {
        String field = fields.get(i).name();
        add(depth + 1, field, path + "." + field, type.get(value, i));
      }
    }
  }

  private void elements(int depth, String name, String path, Object value, List<?> list) {
    String text = types.keyOf(value) + " of " + list.size();
    if (enter(depth, name, path, value, text, list.size())) {
      for (int i = 0; i < Math.min(list.size(), MAX_ELEMENTS); i++) {
        String step = "[" + i + "]";
        add(depth + 1, step, path + step, list.get(i));
      }
      more(depth, list.size());
    }
  }

  private void entries(int depth, String name, String path, Object value, Map<?, ?> map) {
    String text = types.keyOf(value) + " of " + map.size();
    if (enter(depth, name, path, value, text, map.size())) {
      map.entrySet().stream()
          .limit(MAX_ELEMENTS)
          .forEach(
              entry -> {
                String step = AccessPath.ofKey(entry.getKey(), types);
                add(depth + 1, step, path + step, entry.getValue());
              });
      more(depth, map.size());
    }
  }

  private void more(int depth, int size) {
    if (size > MAX_ELEMENTS) {
      lines.add(INDENT.repeat(depth + 1) + "and " + (size - MAX_ELEMENTS) + " more");
    }
  }
}
