package org.relaxvm.objects.graph;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.DeviceTypeCodes;
import org.relaxvm.api.Shape;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.MalformedFileException;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.object.DictObject;
import org.relaxvm.api.object.FieldKind;
import org.relaxvm.api.object.ListObject;
import org.relaxvm.api.object.ModuleBytes;
import org.relaxvm.api.object.ObjectField;
import org.relaxvm.api.object.ObjectType;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.vmcore.binary.ByteCursor;
import org.relaxvm.vmcore.binary.TensorBlob;

/**
 * Makes the objects of a graph, children first. Nodes that nothing refers to are not looked at. An
 * explicit stack instead of recursion makes depth no limit.
 */
final class GraphDecoder {
  private static final byte NEW = 0;
  private static final byte OPEN = 1;
  private static final byte DONE = 2;

  /** Variables of earlier releases, where those are not types of their own. */
  private static final Map<String, String> RENAMED_TYPES =
      Map.of("relax.expr.Var", "ir.Var", "tirx.Var", "ir.Var");

  private static final Map<String, String> VARIABLE_FIELDS = Map.of("name", "name_hint");

  private final RawGraph raw;
  private final ObjectTypes types;
  private final @Nullable Object[] objects;
  private final byte[] states;
  private final Map<String, ObjectType> found = new HashMap<>();
  private int[] stack = new int[64];
  private int depth;

  private GraphDecoder(RawGraph raw, ObjectTypes types) {
    this.raw = raw;
    this.types = types;
    this.objects = new Object[raw.types().length];
    this.states = new byte[objects.length];
  }

  /** The root of a graph. */
  static @Nullable Object decode(RawGraph raw, ObjectTypes types) {
    GraphDecoder decoder = new GraphDecoder(raw, types);
    decoder.push(raw.root());
    while (decoder.depth > 0) {
      decoder.step(decoder.stack[decoder.depth - 1]);
    }
    return decoder.objects[(int) raw.root()];
  }

  private void push(long index) {
    if (index < 0 || index >= objects.length) {
      throw malformed(": invalid node index " + index);
    }
    if (states[(int) index] == OPEN) {
      throw malformed(": node " + index + " (" + raw.types()[(int) index] + ") contains itself");
    }
    if (states[(int) index] == NEW) {
      if (depth == stack.length) {
        stack = Arrays.copyOf(stack, 2 * depth);
      }
      stack[depth++] = (int) index;
    }
  }

  private void step(int node) {
    try {
      if (states[node] == NEW) {
        states[node] = OPEN;
        pushChildren(node);
      } else {
        if (states[node] == OPEN) {
          objects[node] = make(node);
          states[node] = DONE;
        }
        depth--;
      }
    } catch (MalformedFileException e) {
      throw e;
    } catch (RelaxException e) {
      throw new MalformedFileException(
          e.kind(), e.getMessage() + "\n  in: node " + node + " (" + raw.types()[node] + ")", e);
    }
  }

  private static MalformedFileException malformed(String text) {
    return new MalformedFileException(ErrorKind.VALUE, "Invalid JSON Object Graph" + text);
  }

  private String typeKey(int node) {
    String key = raw.types()[node];
    if (key == null) {
      throw malformed(": node " + node + " has no type");
    }
    String renamed = RENAMED_TYPES.get(key);
    return renamed == null || types.find(key).isPresent() ? key : renamed;
  }

  private void pushChildren(int node) {
    Object data = raw.data()[node];
    switch (typeKey(node)) {
      case "ffi.Array", "ffi.List", "ffi.Map", "ffi.Dict" -> {
        for (long child : indices(node)) {
          push(child);
        }
      }
      default -> {
        if (data instanceof RawGraph.Fields fields) {
          pushFields(type(node), fields);
        }
      }
    }
  }

  private void pushFields(ObjectType type, RawGraph.Fields fields) {
    for (int i = 0; i < type.fields().size(); i++) {
      ObjectField field = type.fields().get(i);
      int at = field.kind() == FieldKind.REFERENCE ? find(type, fields, i) : -1;
      if (at >= 0) {
        push(reference(field, fields.values()[at]));
      }
    }
  }

  private static int find(ObjectType type, RawGraph.Fields fields, int number) {
    String name = type.fields().get(number).name();
    int at = fields.find(name, number);
    if (at < 0 && type.isA("ir.Expr")) {
      String old = VARIABLE_FIELDS.get(name);
      return old == null ? -1 : fields.find(old, number);
    }
    return at;
  }

  private static long reference(ObjectField field, @Nullable Object value) {
    if (value instanceof Long index) {
      return index;
    }
    throw malformed(": the field `" + field.name() + "` is not a node index");
  }

  private ObjectType type(int node) {
    return found.computeIfAbsent(typeKey(node), types::require);
  }

  private long[] indices(int node) {
    if (raw.data()[node] instanceof long[] list) {
      return list;
    }
    throw malformed(": the data of node " + node + " (" + typeKey(node) + ") is not a list");
  }

  private Object data(int node) {
    Object data = raw.data()[node];
    if (data == null || data instanceof RawGraph.Marker) {
      throw malformed(
          ": node "
              + node
              + " ("
              + typeKey(node)
              + ") has "
              + (data == RawGraph.Marker.ABSENT ? "no data" : "data of another type"));
    }
    return data;
  }

  // ---------------------------------------------------------------- objects

  private @Nullable Object make(int node) {
    return switch (typeKey(node)) {
      case "None" -> null;
      case "int" -> integer(data(node));
      case "bool" -> bool(data(node));
      case "float" -> number(data(node));
      case "DataType" -> dtype(data(node));
      case "ffi.String" -> text(data(node));
      case "ffi.Bytes" -> bytes(data(node));
      case "Device" -> device(node);
      case "ffi.Shape" -> Shape.of(indices(node));
      case "ffi.Array" -> array(indices(node));
      case "ffi.List" -> new ListObject(Arrays.asList(children(indices(node))));
      case "ffi.Map" -> Collections.unmodifiableMap(map(indices(node)));
      case "ffi.Dict" -> new DictObject(map(indices(node)));
      case "ffi.Tensor" -> tensor(bytes(data(node)));
      case "ffi.Module" -> new ModuleBytes(bytes(data(node)));
      default -> object(node);
    };
  }

  private List<@Nullable Object> array(long[] indices) {
    return Collections.unmodifiableList(Arrays.asList(children(indices)));
  }

  private @Nullable Object[] children(long[] indices) {
    @Nullable Object[] children = new Object[indices.length];
    for (int i = 0; i < children.length; i++) {
      children[i] = objects[(int) indices[i]];
    }
    return children;
  }

  private Map<@Nullable Object, @Nullable Object> map(long[] indices) {
    if (indices.length % 2 != 0) {
      throw malformed(
          ": Map/Dict data must contain an even number of [key, value] entries, got "
              + indices.length);
    }
    Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
    for (int i = 0; i < indices.length; i += 2) {
      Object key = objects[(int) indices[i]];
      if (key instanceof List || key instanceof Map) {
        // Lists and maps of Java are equal by content, those of graphs by identity.
        throw malformed(
            ": node "
                + indices[i]
                + " ("
                + typeKey((int) indices[i])
                + ") cannot be a key of a map");
      }
      map.put(key, objects[(int) indices[i + 1]]);
    }
    return map;
  }

  private Object object(int node) {
    ObjectType type = type(node);
    if (type.textField().isPresent()) {
      String name = text(data(node));
      if (!types.isKnownName(type.key(), name)) {
        throw new CallException(
            ErrorKind.VALUE,
            (type.key().equals("ir.Op") ? "Operator " : type.key() + " ")
                + name
                + " is not registered");
      }
      return type.create(Map.of(type.textField().get(), name));
    }
    if (!(data(node) instanceof RawGraph.Fields fields)) {
      throw malformed(": the data of node " + node + " (" + type + ") is not an object");
    }
    int count = type.fields().size();
    @Nullable Object[] values = new Object[count];
    for (int i = 0; i < count; i++) {
      ObjectField field = type.fields().get(i);
      int at = find(type, fields, i);
      values[i] = at < 0 ? type.defaultValue(i) : value(field, fields.values()[at]);
    }
    return type.create(values);
  }

  private @Nullable Object value(ObjectField field, @Nullable Object value) {
    return switch (field.kind()) {
      case INT -> integer(value);
      case BOOL -> bool(value);
      case FLOAT -> number(value);
      case DTYPE -> dtype(value);
      case REFERENCE -> objects[(int) reference(field, value)];
    };
  }

  // ---------------------------------------------------------------- values

  private static String kind(@Nullable Object value) {
    return switch (value) {
      case Long _ -> "int";
      case Double _ -> "float";
      case Boolean _ -> "bool";
      case String _ -> "str";
      case null, default -> "another type";
    };
  }

  private static CallException cannotConvert(@Nullable Object value, String to) {
    return new CallException(
        ErrorKind.TYPE, "Cannot convert from type `" + kind(value) + "` to `" + to + "`");
  }

  private static Long integer(@Nullable Object value) {
    return switch (value) {
      case Long number -> number;
      case Boolean bool -> bool ? 1L : 0L;
      case null, default -> throw cannotConvert(value, "int");
    };
  }

  private static Boolean bool(@Nullable Object value) {
    return switch (value) {
      case Boolean bool -> bool;
      case Long number -> number != 0;
      case null, default -> throw cannotConvert(value, "bool");
    };
  }

  private static Double number(@Nullable Object value) {
    return switch (value) {
      case Double number -> number;
      case Long number -> (double) number;
      case Boolean bool -> bool ? 1.0 : 0.0;
      case null, default -> throw cannotConvert(value, "float");
    };
  }

  private static String text(@Nullable Object value) {
    if (value instanceof String text) {
      return text;
    }
    throw cannotConvert(value, "str");
  }

  private static DType dtype(@Nullable Object value) {
    String text = text(value);
    return text.isEmpty() || text.equals("void") ? DType.VOID : DType.parse(text);
  }

  private static byte[] bytes(@Nullable Object value) {
    if (value instanceof byte[] decoded) {
      return decoded;
    }
    try {
      return Base64.getDecoder().decode(text(value));
    } catch (IllegalArgumentException e) {
      throw new MalformedFileException(ErrorKind.VALUE, "invalid base64: " + e.getMessage(), e);
    }
  }

  private static Object tensor(byte[] bytes) {
    ByteCursor cursor = new ByteCursor(MemorySegment.ofArray(bytes));
    return TensorBlob.read(cursor, Arena.ofAuto());
  }

  private DeviceId device(int node) {
    long[] pair = indices(node);
    if (pair.length != 2) {
      throw malformed(
          ": Device data must be an array of [device_type, device_id], got "
              + pair.length
              + " element(s)");
    }
    String kind =
        DeviceTypeCodes.kindOf((int) pair[0])
            .filter(_ -> pair[0] == (int) pair[0] && pair[1] == (int) pair[1])
            .orElseThrow(() -> malformed(": unknown device " + Arrays.toString(pair)));
    return new DeviceId(kind, (int) pair[1]);
  }
}
