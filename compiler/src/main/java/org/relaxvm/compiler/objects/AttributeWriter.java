package org.relaxvm.compiler.objects;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.object.ObjectField;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.ir.Call;
import org.relaxvm.compiler.objects.kernel.ScalarWriter;
import org.relaxvm.compiler.objects.node.NodeMaker;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.shape.IndexMapAttr;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.VDevice;
import org.relaxvm.tir.op.layout.IndexMap;

/** Writes attributes of calls, functions and modules. Not thread-safe. */
final class AttributeWriter {
  private static final String SECTIONS = "indices_or_sections";

  private final ObjectTypes types;
  private final NodeMaker maker;
  private final ScalarWriter scalars;
  private final VirtualDevices devices;

  AttributeWriter(
      ObjectTypes types, NodeMaker maker, ScalarWriter scalars, VirtualDevices devices) {
    this.types = types;
    this.maker = maker;
    this.scalars = scalars;
    this.devices = devices;
  }

  /** Attributes by name, of functions and modules. */
  ObjectNode dictionary(Attrs attrs) {
    return maker.make("ir.DictAttrs", "__dict__", entries(attrs.values()));
  }

  private static Map<String, @Nullable Object> entries(Map<?, ?> values) {
    Map<String, @Nullable Object> entries = new LinkedHashMap<>();
    values.forEach((name, value) -> entries.put(String.valueOf(name), any(value)));
    return entries;
  }

  private static @Nullable Object any(@Nullable Object value) {
    return switch (value) {
      case Attrs.Nothing nothing -> null;
      case List<?> list -> {
        List<@Nullable Object> items = new ArrayList<>();
        list.forEach(item -> items.add(any(item)));
        yield items;
      }
      case Map<?, ?> map -> entries(map);
      case null, default -> value;
    };
  }

  /** Attributes of a call of an operator; null if it has none. */
  @Nullable ObjectNode write(OpDef op, Call call) {
    String key = AttributeTable.key(op);
    Attrs attrs = AttributeTable.complete(op, call.attrs());
    requireKnown(op, attrs);
    if (key.isEmpty()) {
      return null;
    }
    if (key.equals(AttributeTable.DICTIONARY)) {
      return dictionary(attrs);
    }
    if (key.equals("relax.attrs.HintOnDeviceAttrs")) {
      return hint(attrs.text("dst_vdevice").orElse(""));
    }
    List<@Nullable Object> fields = new ArrayList<>();
    for (ObjectField field : types.require(key).fields()) {
      fields.add(field.name());
      fields.add(field(field, attrs.values().get(field.name()), call));
    }
    return maker.make(key, fields.toArray());
  }

  private static void requireKnown(OpDef op, Attrs attrs) {
    List<String> known = op.attrSpecs().stream().map(AttrSpec::name).toList();
    for (String name : attrs.values().keySet()) {
      if (!known.contains(name)) {
        throw new InvalidProgramException(
            ErrorKind.VALUE,
            op.name()
                + " has no attribute "
                + name
                + "; it has "
                + (known.isEmpty() ? "none" : String.join(", ", known)));
      }
    }
  }

  private ObjectNode hint(String text) {
    VDevice device = VirtualDevices.parse(text);
    DeviceId id = device.device();
    return maker.make(
        "relax.attrs.HintOnDeviceAttrs",
        "device_type",
        (long) id.typeCode(),
        "index",
        (long) device.id(),
        "memory_scope",
        device.memoryScope());
  }

  private @Nullable Object field(ObjectField field, @Nullable Object value, Call call) {
    if (value == null || value == Attrs.Nothing.NONE) {
      return absent(field);
    }
    return switch (field.typeName()) {
      case "Optional<ir.IntImm>" -> integer(DType.INT32, (Long) value);
      case "Optional<ir.FloatImm>" -> real(DType.FLOAT32, (Double) value);
      case "ffi.Array<ir.FloatImm>" ->
          ((List<?>) value).stream().map(item -> real(DType.FLOAT32, (Double) item)).toList();
      case "ffi.Object" -> sections(value);
      case "ir.VDevice" -> devices.write((String) value);
      case "tirx.IndexMap" -> indexMap(value);
      case "Optional<ir.Expr>" -> real(elements(call), (Double) value);
      default -> any(value);
    };
  }

  /** The value of a field that is not given: a text is empty then. */
  private static @Nullable Object absent(ObjectField field) {
    if (field.typeName().equals("ffi.String")) {
      return "";
    }
    if (field.typeName().startsWith("ffi.Map")) {
      return Map.of();
    }
    return null;
  }

  private ObjectNode integer(DType dtype, long value) {
    return maker.make("ir.IntImm", "ty", maker.scalarType(dtype), "value", value);
  }

  private ObjectNode real(DType dtype, double value) {
    return maker.make("ir.FloatImm", "ty", maker.scalarType(dtype), "value", value);
  }

  /** The number of parts of a split, or the indices between them. */
  private Object sections(Object value) {
    List<ObjectNode> numbers =
        Attrs.of(SECTIONS, value).integers(SECTIONS).orElse(List.of()).stream()
            .map(item -> integer(DType.INT64, item))
            .toList();
    return value instanceof List<?> ? numbers : numbers.getFirst();
  }

  private static DType elements(Call call) {
    return call.args().getFirst().knownType().orElse(null) instanceof TensorType tensor
        ? tensor.dtype().orElse(DType.FLOAT32)
        : DType.FLOAT32;
  }

  private ObjectNode indexMap(Object value) {
    IndexMap map = IndexMapAttr.decode(value instanceof Map<?, ?> entries ? entries : Map.of());
    return maker.make(
        "tirx.IndexMap",
        "initial_indices",
        map.axes().stream().map(scalars::variable).toList(),
        "final_indices",
        map.finalIndices().stream().map(scalars::write).toList(),
        "inverse_index_map",
        null);
  }
}
