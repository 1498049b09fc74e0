package org.relaxvm.objects.schema;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.object.ComparisonKind;
import org.relaxvm.api.object.FieldKind;
import org.relaxvm.api.object.FieldRole;
import org.relaxvm.api.object.ObjectDeclaration;
import org.relaxvm.api.object.ObjectField;

/**
 * The table that a schema is read from. A line that is not indented is a type: key, parent,
 * comparison, and {@code saved-as FIELD} where its objects are saved as a text. Indented lines
 * below it are its fields: name, declared type, kind, role (none for compared fields), and {@code =
 * DEFAULT}.
 *
 * <p>A table may have the differences of a release to the next newer one. {@code NEW* = OLD*}
 * renames the types that begin with a prefix; {@code - KEY} takes a type away. A type that ends
 * with {@code ...} has the fields of the newer release, and its parent and comparison unless they
 * are given; a field of the same name below it is another one in the same place, a new name is
 * added at the end, and {@code - NAME} takes a field away.
 */
final class SchemaTable {
  private static final String REMOVED = "- ";
  private static final String KEPT = "...";

  private final Map<String, ObjectDeclaration> types = new LinkedHashMap<>();
  private final Map<String, ObjectField> fields = new LinkedHashMap<>();
  private @Nullable ObjectDeclaration open;

  private SchemaTable() {}

  /**
   * The types of a table.
   *
   * @param newer the types that the table has the differences to; none for a whole table
   */
  static List<ObjectDeclaration> parse(List<String> lines, List<ObjectDeclaration> newer) {
    SchemaTable table = new SchemaTable();
    newer.forEach(type -> table.types.put(type.key(), type));
    for (String line : lines) {
      if (line.startsWith("  " + REMOVED)) {
        table.fields.remove(line.strip().substring(REMOVED.length()));
      } else if (line.startsWith(" ")) {
        ObjectField field = field(line.strip());
        table.fields.put(field.name(), field);
      } else {
        table.close();
        table.type(line);
      }
    }
    table.close();
    return List.copyOf(table.types.values());
  }

  private void type(String line) {
    String[] words = line.split(" ", -1);
    if (line.startsWith(REMOVED)) {
      types.remove(words[1]);
    } else if (words[1].equals("=")) {
      rename(words[0].replace("*", ""), words[2].replace("*", ""));
    } else if (line.endsWith(KEPT)) {
      keep(words);
    } else {
      open = declaration(words, words.length);
    }
  }

  private void rename(String from, String to) {
    List<ObjectDeclaration> all = List.copyOf(types.values());
    types.clear();
    for (ObjectDeclaration type : all) {
      List<ObjectField> renamed = new ArrayList<>();
      type.ownFields().forEach(field -> renamed.add(renamed(field, from, to)));
      ObjectDeclaration other =
          ObjectDeclaration.of(
              renamed(type.key(), from, to),
              renamed(type.parent(), from, to),
              type.comparison(),
              renamed);
      types.put(other.key(), saved(other, type.textField()));
    }
  }

  private static ObjectField renamed(ObjectField field, String from, String to) {
    return new ObjectField(
        field.name(),
        field.kind(),
        field.typeName().replace(from, to),
        field.role(),
        field.defaultValue(),
        field.doc());
  }

  private static String renamed(String key, String from, String to) {
    return key.startsWith(from) ? to + key.substring(from.length()) : key;
  }

  private void keep(String[] words) {
    ObjectDeclaration newer = types.get(words[0]);
    if (newer == null) {
      throw new IllegalArgumentException("the newer release has no type " + words[0]);
    }
    newer.ownFields().forEach(field -> fields.put(field.name(), field));
    open = words.length > 2 ? declaration(words, words.length - 1) : newer;
  }

  private static ObjectDeclaration declaration(String[] words, int count) {
    ObjectDeclaration type =
        ObjectDeclaration.of(
            words[0], words[1], constant(ComparisonKind.class, words[2]), List.of());
    return count > 3 ? type.savedAs(words[4]) : type;
  }

  private void close() {
    if (open != null) {
      ObjectDeclaration type =
          ObjectDeclaration.of(
              open.key(), open.parent(), open.comparison(), List.copyOf(fields.values()));
      types.put(type.key(), saved(type, open.textField()));
      fields.clear();
      open = null;
    }
  }

  private static ObjectDeclaration saved(ObjectDeclaration type, String field) {
    return field.isEmpty() ? type : type.savedAs(field);
  }

  private static ObjectField field(String line) {
    int equals = line.indexOf(" = ");
    String[] words = (equals < 0 ? line : line.substring(0, equals)).split(" ", -1);
    FieldKind kind = constant(FieldKind.class, words[2]);
    ObjectField field = new ObjectField(words[0], kind, words[1]);
    if (words.length > 3) {
      field = field.withRole(constant(FieldRole.class, words[3]));
    }
    return equals < 0 ? field : field.withDefault(value(kind, line.substring(equals + 3)));
  }

  private static <E extends Enum<E>> E constant(Class<E> type, String word) {
    return Enum.valueOf(type, word.toUpperCase(Locale.ROOT).replace('-', '_'));
  }

  private static @Nullable Object value(FieldKind kind, String text) {
    return switch (kind) {
      case INT -> Long.valueOf(text);
      case BOOL -> Boolean.valueOf(text);
      case FLOAT -> Double.valueOf(text);
      case DTYPE -> DType.parse(text);
      case REFERENCE -> {
        if (text.startsWith("\"")) {
          yield text.substring(1, text.length() - 1);
        }
        // A type key is an object of that type without values: what is not known yet.
        yield text.equals("null") ? null : new ObjectField.Unknown(text);
      }
    };
  }
}
