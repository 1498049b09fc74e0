package org.relaxvm.compiler.objects;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.object.ObjectField;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.compiler.ir.Attrs;
import org.relaxvm.compiler.objects.node.Cursor;
import org.relaxvm.compiler.op.AttrSpec;
import org.relaxvm.compiler.op.OpDef;
import org.relaxvm.compiler.op.shape.IndexMapAttr;
import org.relaxvm.compiler.type.VDevice;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.op.layout.IndexMap;

/** Reads attributes of calls, functions and modules. Not thread-safe. */
final class AttributeReader {
  private final Scalars scalars;
  private final List<VDevice> devices;

  /**
   * A reader.
   *
   * @param devices the virtual devices of the module
   */
  AttributeReader(Scalars scalars, List<VDevice> devices) {
    this.scalars = scalars;
    this.devices = devices;
  }

  /** Attributes by name, of functions and modules. */
  static Attrs dictionary(Cursor at) {
    Map<String, Object> values = new LinkedHashMap<>();
    if (at.require("ir.DictAttrs")) {
      at.get("__dict__").entries().forEach((name, value) -> values.put(name, any(value)));
    }
    return new Attrs(values);
  }

  private static Object any(Cursor at) {
    return switch (at.value()) {
      case null -> Attrs.Nothing.NONE;
      case Long number -> number;
      case Double number -> number;
      case Boolean bool -> bool;
      case String text -> text;
      case DType dtype -> dtype;
      case List<?> list -> {
        List<Object> items = new ArrayList<>();
        at.items().forEach(item -> items.add(any(item)));
        yield items;
      }
      case Map<?, ?> map -> {
        Map<String, Object> entries = new LinkedHashMap<>();
        at.entries().forEach((name, value) -> entries.put(name, any(value)));
        yield entries;
      }
      default -> {
        at.problem("an attribute that is " + at.key() + " cannot be held");
        yield Attrs.Nothing.NONE;
      }
    };
  }

  /** Attributes of a call of an operator. */
  Attrs read(OpDef op, Cursor at) {
    String key = AttributeTable.key(op);
    if (at.isNull() || key.isEmpty()) {
      return none(op, at, key);
    }
    if (!at.require(key)) {
      return Attrs.NONE;
    }
    if (key.equals("relax.attrs.HintOnDeviceAttrs")) {
      return Attrs.of("dst_vdevice", VirtualDevices.readHint(at, devices).toString());
    }
    Map<String, AttrSpec> specs = new HashMap<>();
    op.attrSpecs().forEach(spec -> specs.put(spec.name(), spec));
    Map<String, Object> values = new LinkedHashMap<>();
    if (key.equals(AttributeTable.DICTIONARY)) {
      at.get("__dict__")
          .entries()
          .forEach((name, value) -> named(op, specs.get(name), name, value, values));
      return op.withDefaults(new Attrs(values));
    }
    Set<String> fields = new HashSet<>();
    for (ObjectField field : at.node().map(node -> node.type().fields()).orElse(List.of())) {
      Cursor value = at.get(field.name());
      AttrSpec spec = specs.get(field.name());
      fields.add(field.name());
      named(op, spec, field.name(), value, values);
    }
    // Attributes that Apache TVM does not have are those of its operator.
    for (AttrSpec spec : op.attrSpecs()) {
      if (!fields.contains(spec.name())) {
        spec.fallback().ifPresent(value -> values.put(spec.name(), value));
      }
    }
    return new Attrs(values);
  }

  private void named(
      OpDef op, @Nullable AttrSpec spec, String name, Cursor at, Map<String, Object> values) {
    if (spec != null) {
      value(spec, at).ifPresent(held -> values.put(name, held));
    } else if (!at.isNull()) {
      at.problem("the operator relax." + op.name() + " has no attribute " + name);
    }
  }

  private static Attrs none(OpDef op, Cursor at, String key) {
    boolean isEmpty = at.isNull() || (at.isA("ir.DictAttrs") && dictionary(at).equals(Attrs.NONE));
    if (!isEmpty) {
      at.problem("the operator relax." + op.name() + " has no attributes, but got " + at.key());
    } else if (!key.isEmpty() && op.attrSpecs().stream().anyMatch(AttrSpec::isRequired)) {
      at.problem("the operator relax." + op.name() + " needs attributes: " + key);
    }
    return Attrs.NONE;
  }

  private Optional<Object> value(AttrSpec spec, Cursor at) {
    if (at.isNull()) {
      return spec.kind() == AttrSpec.Kind.INTEGER_OR_NONE
          ? Optional.of(Attrs.Nothing.NONE)
          : Optional.empty();
    }
    if (at.isA("tirx.IndexMap")) {
      return Optional.of(indexMap(at));
    }
    if (at.isA("ir.VDevice")) {
      return Optional.of(VirtualDevices.read(at).toString());
    }
    Object value = plain(at);
    if (value != null && !fits(spec.kind(), value)) {
      at.problem("the attribute must be " + spec.kind().text() + ", but is " + value);
      return Optional.empty();
    }
    // An empty text is how a graph says that there is none.
    return value instanceof String text && text.isEmpty() && !spec.isRequired()
        ? Optional.empty()
        : Optional.ofNullable(value);
  }

  private static boolean fits(AttrSpec.Kind kind, Object value) {
    return switch (kind) {
      case INTEGER, INTEGER_OR_NONE -> value instanceof Long;
      case REAL -> value instanceof Double;
      case BOOL -> value instanceof Boolean;
      case TEXT -> value instanceof String;
      case DTYPE -> value instanceof DType;
      case INTEGERS -> isListOf(Long.class, value);
      case REALS -> isListOf(Double.class, value);
      case ANY -> true;
    };
  }

  private static boolean isListOf(Class<?> type, Object value) {
    return value instanceof List<?> list && list.stream().allMatch(type::isInstance);
  }

  /** A value; numbers may be objects. */
  private @Nullable Object plain(Cursor at) {
    if (at.value() instanceof List<?>) {
      List<Object> items = new ArrayList<>();
      for (Cursor item : at.items()) {
        Object value = plain(item);
        if (value != null) {
          items.add(value);
        }
      }
      return items;
    }
    if (at.value() instanceof ObjectNode) {
      return number(at);
    }
    return any(at);
  }

  private @Nullable Object number(Cursor at) {
    PrimExpr value = scalars.read(at);
    return switch (value) {
      case IntImm integer -> integer.value();
      case FloatImm real -> real.value();
      default -> {
        at.problem("expected a number");
        yield null;
      }
    };
  }

  private Object indexMap(Cursor at) {
    List<Var> axes = new ArrayList<>();
    for (Cursor axis : at.get("initial_indices").items()) {
      if (axis.require("ir.Var")) {
        axis.node().ifPresent(node -> axes.add(scalars.reader().variable(node, axis.path())));
      }
    }
    List<PrimExpr> indices = new ArrayList<>();
    at.get("final_indices").items().forEach(index -> indices.add(scalars.read(index)));
    return at.held(() -> IndexMapAttr.encode(new IndexMap(axes, indices)), Map.of());
  }
}
