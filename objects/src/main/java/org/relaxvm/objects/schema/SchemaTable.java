package org.relaxvm.objects.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
 */
final class SchemaTable {
  private final List<ObjectDeclaration> types = new ArrayList<>();
  private @Nullable ObjectDeclaration open;
  private List<ObjectField> fields = new ArrayList<>();

  private SchemaTable() {}

  static List<ObjectDeclaration> parse(List<String> lines) {
    SchemaTable table = new SchemaTable();
    for (String line : lines) {
      if (line.startsWith(" ")) {
        table.fields.add(field(line.strip()));
      } else {
        table.close();
        table.open = type(line.split(" ", -1));
      }
    }
    table.close();
    return List.copyOf(table.types);
  }

  private void close() {
    if (open != null) {
      ObjectDeclaration type =
          ObjectDeclaration.of(open.key(), open.parent(), open.comparison(), fields);
      types.add(open.textField().isEmpty() ? type : type.savedAs(open.textField()));
      fields = new ArrayList<>();
    }
  }

  private static ObjectDeclaration type(String[] words) {
    ObjectDeclaration type =
        ObjectDeclaration.of(
            words[0], words[1], constant(ComparisonKind.class, words[2]), List.of());
    return words.length > 3 ? type.savedAs(words[4]) : type;
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
