package org.relaxvm.objects.graph;

import com.fasterxml.jackson.core.Base64Variants;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;

/** Reads the text of a graph. Texts of tensors are decoded as they arrive. */
final class GraphText {
  /** Types whose data is encoded bytes. */
  static final Set<String> BINARY = Set.of("ffi.Tensor", "ffi.Bytes", "ffi.Module");

  private static final int MAX_DEPTH = 64;
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxStringLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private final JsonParser parser;
  private final List<@Nullable String> types = new ArrayList<>();
  private final List<@Nullable Object> data = new ArrayList<>();
  private final Map<String, Object> metadata = new LinkedHashMap<>();
  private final Map<String, String> keys = new LinkedHashMap<>();
  private final List<String> names = new ArrayList<>();
  private final List<@Nullable Object> values = new ArrayList<>();
  private @Nullable Long root;
  private boolean hasNodes;
  private boolean isOld;

  private GraphText(JsonParser parser) {
    this.parser = parser;
  }

  /**
   * Reads a text in UTF-8.
   *
   * @param name for messages
   * @throws MalformedFileException if it is no graph
   */
  static RawGraph read(InputStream in, String name) throws IOException {
    try (JsonParser parser = JSON.createParser(in)) {
      return new GraphText(parser).graph();
    } catch (JsonProcessingException e) {
      throw new MalformedFileException(
          ErrorKind.VALUE,
          name
              + " is not valid JSON: "
              + e.getOriginalMessage()
              + "\n  at: line "
              + (e.getLocation() == null ? "?" : e.getLocation().getLineNr())
              + ", column "
              + (e.getLocation() == null ? "?" : e.getLocation().getColumnNr()),
          e);
    }
  }

  private static MalformedFileException malformed(String text) {
    return new MalformedFileException(ErrorKind.VALUE, "Invalid JSON Object Graph" + text);
  }

  private RawGraph graph() throws IOException {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      throw malformed(", expected an object with `root_index` and `nodes`");
    }
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String field = parser.currentName();
      JsonToken token = parser.nextToken();
      switch (field) {
        case "root_index" -> root = token == JsonToken.VALUE_NUMBER_INT ? longValue() : null;
        case "nodes" -> nodes(token);
        case "metadata" -> metadata(token);
        case "b64ndarrays" -> {
          isOld = true;
          parser.skipChildren();
        }
        default -> parser.skipChildren();
      }
    }
    if (parser.nextToken() != null) {
      throw malformed(", more text follows");
    }
    if (isOld) {
      throw new MalformedFileException(
          ErrorKind.VALUE,
          "the graph was written by Apache TVM 0.21 or older\n  what to do: load it there, and save"
              + " it as text (mod.script())");
    }
    if (root == null) {
      throw malformed(", expected `root_index` integer field");
    }
    if (!hasNodes) {
      throw malformed(", expected `nodes` array field");
    }
    return new RawGraph(root, types.toArray(String[]::new), data.toArray(), metadata);
  }

  private @Nullable Long longValue() throws IOException {
    return parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
        ? null
        : Long.valueOf(parser.getLongValue());
  }

  private void metadata(JsonToken token) throws IOException {
    if (token != JsonToken.START_OBJECT) {
      throw malformed(", expected `metadata` to be an object");
    }
    metadata.clear();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      Object value = value(parser.nextToken());
      if (value instanceof String || value instanceof Long || value instanceof Boolean) {
        metadata.put(name, value);
      }
    }
  }

  private void nodes(JsonToken token) throws IOException {
    if (token != JsonToken.START_ARRAY) {
      throw malformed(", expected `nodes` array field");
    }
    hasNodes = true;
    types.clear();
    data.clear();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      node();
    }
  }

  private void node() throws IOException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      throw malformed(": node " + types.size() + " is not an object");
    }
    String type = null;
    Object content = RawGraph.Marker.ABSENT;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String field = parser.currentName();
      JsonToken token = parser.nextToken();
      switch (field) {
        case "type" -> type = token == JsonToken.VALUE_STRING ? key(parser.getText()) : null;
        case "data" ->
            content =
                token == JsonToken.VALUE_STRING && type != null && BINARY.contains(type)
                    ? bytes()
                    : value(token);
        case "type_key" -> {
          isOld = true;
          parser.skipChildren();
        }
        default -> parser.skipChildren();
      }
    }
    types.add(type);
    data.add(content);
  }

  private String key(String text) {
    return keys.computeIfAbsent(text, key -> key);
  }

  private byte[] bytes() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      parser.readBinaryValue(Base64Variants.MIME_NO_LINEFEEDS, out);
    } catch (IllegalArgumentException e) {
      throw new MalformedFileException(
          ErrorKind.VALUE, "node " + types.size() + ": invalid base64: " + e.getMessage(), e);
    }
    return out.toByteArray();
  }

  private Object value(JsonToken token) throws IOException {
    return switch (token) {
      case VALUE_STRING -> text();
      case VALUE_NUMBER_INT -> {
        Long integer = longValue();
        yield integer != null ? integer : (Object) parser.getDoubleValue();
      }
      case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
      case VALUE_TRUE -> Boolean.TRUE;
      case VALUE_FALSE -> Boolean.FALSE;
      case START_ARRAY -> list();
      case START_OBJECT -> fields();
      default -> RawGraph.Marker.OTHER;
    };
  }

  private String text() throws IOException {
    String text = parser.getText();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
      } else if (Character.isSurrogate(c)) {
        throw malformed(": a text has half of a surrogate pair");
      }
    }
    return text;
  }

  private Object list() throws IOException {
    long[] integers = new long[4];
    int count = 0;
    boolean isOther = false;
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      Long integer = token == JsonToken.VALUE_NUMBER_INT ? longValue() : null;
      if (integer == null) {
        isOther = true;
        parser.skipChildren();
        continue;
      }
      if (count == integers.length) {
        integers = Arrays.copyOf(integers, 2 * count);
      }
      integers[count++] = integer;
    }
    return isOther ? RawGraph.Marker.OTHER : Arrays.copyOf(integers, count);
  }

  private Object fields() throws IOException {
    // Objects within data do not occur, so that one pair of buffers suffices.
    names.clear();
    values.clear();
    long seen = 0;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      // A bit a name tells quickly that it was not there before, as nearly always.
      long bit = 1L << name.hashCode();
      int before = (seen & bit) == 0 ? -1 : names.indexOf(name);
      seen |= bit;
      if (before >= 0) {
        names.remove(before);
        values.remove(before);
      }
      names.add(name);
      JsonToken token = parser.nextToken();
      if (token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY) {
        parser.skipChildren();
        values.add(RawGraph.Marker.OTHER);
      } else {
        values.add(value(token));
      }
    }
    return new RawGraph.Fields(names.toArray(String[]::new), values.toArray());
  }
}
