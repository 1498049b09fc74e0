package org.relaxvm.objects.graph;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.SerializableString;
import com.fasterxml.jackson.core.io.CharacterEscapes;
import com.fasterxml.jackson.core.io.SerializedString;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.DeviceTypeCodes;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.object.DictObject;
import org.relaxvm.api.object.FieldKind;
import org.relaxvm.api.object.ListObject;
import org.relaxvm.api.object.ModuleBytes;
import org.relaxvm.api.object.ObjectField;
import org.relaxvm.api.object.ObjectType;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.vmcore.binary.ByteSink;
import org.relaxvm.vmcore.binary.TensorBlob;

/** Writes the nodes of a graph as text. */
final class GraphEncoder {
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .disable(JsonWriteFeature.WRITE_HEX_UPPER_CASE)
          .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
          .build();

  private static final Escapes ESCAPES = new Escapes();

  private final ObjectTypes types;
  private final NodeOrder order;
  private final JsonGenerator json;

  private GraphEncoder(ObjectTypes types, NodeOrder order, JsonGenerator json) {
    this.types = types;
    this.order = order;
    this.json = json;
  }

  /** Escapes what the original does, a slash and a delete character too. */
  private static final class Escapes extends CharacterEscapes {
    private static final long serialVersionUID = 1L;
    private static final int DELETE = 0x7f;
    private static final SerializedString ESCAPED_DELETE = new SerializedString("\\u007f");
    private static final SerializedString ESCAPED_SLASH = new SerializedString("\\/");

    private final int[] escapes = CharacterEscapes.standardAsciiEscapesForJSON();

    Escapes() {
      escapes['/'] = ESCAPE_CUSTOM;
      escapes[DELETE] = ESCAPE_CUSTOM;
    }

    @Override
    public int[] getEscapeCodesForAscii() {
      return escapes;
    }

    @Override
    public @Nullable SerializableString getEscapeSequence(int ch) {
      return switch (ch) {
        case '/' -> ESCAPED_SLASH;
        case DELETE -> ESCAPED_DELETE;
        default -> null;
      };
    }
  }

  /** Line breaks and blanks as the original writes them. */
  private static final class Indented extends MinimalPrettyPrinter {
    private static final long serialVersionUID = 1L;
    private static final String UNIT = "  ";

    private int depth;

    private void line(JsonGenerator json) throws IOException {
      json.writeRaw('\n' + UNIT.repeat(depth));
    }

    @Override
    public void writeStartObject(JsonGenerator json) throws IOException {
      json.writeRaw('{');
      depth++;
    }

    @Override
    public void beforeObjectEntries(JsonGenerator json) throws IOException {
      line(json);
    }

    @Override
    public void writeObjectFieldValueSeparator(JsonGenerator json) throws IOException {
      json.writeRaw(": ");
    }

    @Override
    public void writeObjectEntrySeparator(JsonGenerator json) throws IOException {
      json.writeRaw(',');
      line(json);
    }

    @Override
    public void writeEndObject(JsonGenerator json, int count) throws IOException {
      depth--;
      line(json);
      json.writeRaw('}');
    }

    @Override
    public void writeStartArray(JsonGenerator json) throws IOException {
      json.writeRaw('[');
      depth++;
    }

    @Override
    public void beforeArrayValues(JsonGenerator json) throws IOException {
      line(json);
    }

    @Override
    public void writeArrayValueSeparator(JsonGenerator json) throws IOException {
      json.writeRaw(',');
      line(json);
    }

    @Override
    public void writeEndArray(JsonGenerator json, int count) throws IOException {
      depth--;
      line(json);
      json.writeRaw(']');
    }
  }

  /** Writes a graph; the stream is not closed. */
  static void encode(
      @Nullable Object root,
      ObjectTypes types,
      Map<String, Object> metadata,
      JsonLayout layout,
      OutputStream out)
      throws IOException {
    NodeOrder order = NodeOrder.of(root, types);
    JsonGenerator json = JSON.createGenerator(out);
    if (layout == JsonLayout.INDENTED) {
      json.setPrettyPrinter(new Indented());
    }
    json.disable(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM);
    json.setCharacterEscapes(ESCAPES);
    new GraphEncoder(types, order, json).graph(metadata);
    json.flush();
  }

  private void graph(Map<String, Object> metadata) throws IOException {
    json.writeStartObject();
    json.writeNumberField("root_index", order.nodes().size() - 1);
    json.writeArrayFieldStart("nodes");
    for (Object node : order.nodes()) {
      json.writeStartObject();
      json.writeStringField("type", types.keyOf(node));
      if (node != null) {
        json.writeFieldName("data");
        data(node);
      }
      json.writeEndObject();
    }
    json.writeEndArray();
    if (!metadata.isEmpty()) {
      json.writeObjectFieldStart("metadata");
      for (Map.Entry<String, Object> entry : metadata.entrySet()) {
        json.writeFieldName(entry.getKey());
        scalar(entry.getValue());
      }
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  private void data(Object node) throws IOException {
    switch (node) {
      case Shape shape -> {
        json.writeStartArray();
        for (int i = 0; i < shape.rank(); i++) {
          json.writeNumber(shape.dim(i));
        }
        json.writeEndArray();
      }
      case DeviceId device ->
          json.writeArray(
              new int[] {DeviceTypeCodes.codeOf(device.kind()), device.ordinal()}, 0, 2);
      case byte[] bytes -> {
        try (Base64Text text = new Base64Text(json)) {
          text.write(bytes);
        }
      }
      case ModuleBytes module -> {
        try (Base64Text text = new Base64Text(json)) {
          text.write(module.bytes());
        }
      }
      case Tensor tensor -> {
        try (Base64Text text = new Base64Text(json)) {
          ByteSink sink = ByteSink.to(text);
          TensorBlob.write(sink, tensor);
          sink.flush();
        }
      }
      case List<?> list -> elements(list);
      case ListObject list -> elements(list.elements());
      case Map<?, ?> map -> entries(map);
      case DictObject dict -> entries(dict.entries());
      default -> {
        ObjectType type = types.typeOf(node).orElse(null);
        if (type == null) {
          scalar(node);
        } else {
          object(type, node);
        }
      }
    }
  }

  private void scalar(Object value) throws IOException {
    switch (value) {
      case Long number -> json.writeNumber(number);
      case Integer number -> json.writeNumber(number);
      case Boolean bool -> json.writeBoolean(bool);
      case Double number -> json.writeRawValue(Reals.text(number));
      case DType dtype -> json.writeString(dtype.equals(DType.VOID) ? "" : dtype.toString());
      default -> json.writeString(value.toString());
    }
  }

  private void elements(Iterable<?> elements) throws IOException {
    json.writeStartArray();
    for (Object element : elements) {
      json.writeNumber(order.indexOf(element));
    }
    json.writeEndArray();
  }

  private void entries(Map<?, ?> map) throws IOException {
    json.writeStartArray();
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      json.writeNumber(order.indexOf(entry.getKey()));
      json.writeNumber(order.indexOf(entry.getValue()));
    }
    json.writeEndArray();
  }

  private void object(ObjectType type, Object node) throws IOException {
    if (type.textField().isPresent()) {
      Object text = type.get(node, type.requireField(type.textField().get()));
      json.writeString(String.valueOf(text));
      return;
    }
    json.writeStartObject();
    for (int i = 0; i < type.fields().size(); i++) {
      ObjectField field = type.fields().get(i);
      Object value = type.get(node, i);
      json.writeFieldName(field.name());
      if (field.kind() == FieldKind.REFERENCE || value == null) {
        json.writeNumber(order.indexOf(value));
      } else {
        scalar(value);
      }
    }
    json.writeEndObject();
  }
}
