package org.relaxvm.objects.release;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.api.object.ObjectTypes;
import org.relaxvm.objects.schema.TvmRelease;
import org.relaxvm.objects.schema.TvmSchema;

/** Objects of release 0.22, written by hand. */
final class Made {
  static final ObjectTypes OLD = TvmSchema.of(TvmRelease.V0_22).objectTypes();
  static final DType HANDLE = DType.parse("handle");

  private Made() {}

  /** An object; fields that are not given are null where they refer to something. */
  static ObjectNode node(String key, @Nullable Object... fields) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    OLD.require(key)
        .fields()
        .forEach(
            field -> {
              if (field.name().equals("span")) {
                values.put("span", null);
              }
            });
    for (int i = 0; i < fields.length; i += 2) {
      values.put((String) fields[i], fields[i + 1]);
    }
    return (ObjectNode) OLD.require(key).create(values);
  }

  static ObjectNode primType(DType dtype) {
    return node("ir.PrimType", "dtype", dtype);
  }

  static ObjectNode variable(String name, DType dtype) {
    return node("tir.Var", "dtype", dtype, "name", name, "type_annotation", primType(dtype));
  }

  static ObjectNode integer(long value) {
    return node("ir.IntImm", "dtype", DType.INT64, "value", value);
  }

  static ObjectNode text(String value) {
    return node("tir.StringImm", "dtype", HANDLE, "value", value);
  }

  /** The pointer of a buffer of float32. */
  static ObjectNode pointer(String name) {
    ObjectNode type =
        node("ir.PointerType", "element_type", primType(DType.FLOAT32), "storage_scope", "shared");
    return node("tir.Var", "dtype", HANDLE, "name", name, "type_annotation", type);
  }

  /** A buffer of four elements. */
  static ObjectNode buffer(String name, ObjectNode data, List<?> separators, long kind) {
    return node(
        "tir.Buffer",
        "data",
        data,
        "dtype",
        DType.FLOAT32,
        "shape",
        List.of(integer(4)),
        "strides",
        List.of(),
        "axis_separators",
        separators,
        "elem_offset",
        integer(0),
        "name",
        name,
        "data_alignment",
        64L,
        "offset_factor",
        1L,
        "buffer_type",
        kind);
  }

  static ObjectNode buffer(String name) {
    return buffer(name, pointer(name), List.of(), 1);
  }

  static ObjectNode load(ObjectNode buffer, long index) {
    return node(
        "tir.BufferLoad",
        "dtype",
        DType.FLOAT32,
        "buffer",
        buffer,
        "indices",
        List.of(integer(index)),
        "predicate",
        null);
  }

  static ObjectNode store(ObjectNode buffer, Object value) {
    return node(
        "tir.BufferStore",
        "buffer",
        buffer,
        "value",
        value,
        "indices",
        List.of(integer(0)),
        "predicate",
        null);
  }

  static ObjectNode call(DType dtype, String operator, Object... args) {
    return node(
        "tir.Call", "dtype", dtype, "op", node("ir.Op", "name", operator), "args", List.of(args));
  }

  static ObjectNode evaluate(Object value) {
    return node("tir.Evaluate", "value", value);
  }

  static ObjectNode allocate(ObjectNode pointer, Object condition, Object body) {
    return node(
        "tir.Allocate",
        "buffer_var",
        pointer,
        "dtype",
        DType.FLOAT32,
        "extents",
        List.of(integer(4)),
        "condition",
        condition,
        "body",
        body,
        "annotations",
        Map.of());
  }

  static ObjectNode yes() {
    return node("ir.IntImm", "dtype", DType.BOOL, "value", 1L);
  }

  static ObjectNode kernel(List<?> params, Map<?, ?> buffers, Map<?, ?> attrs, Object body) {
    return node(
        "tir.PrimFunc",
        "attrs",
        node("ir.DictAttrs", "__dict__", attrs),
        "params",
        params,
        "ret_type",
        node("ir.TupleType", "fields", List.of()),
        "buffer_map",
        buffers,
        "body",
        body);
  }
}
