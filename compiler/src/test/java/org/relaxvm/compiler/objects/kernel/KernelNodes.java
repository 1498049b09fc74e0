package org.relaxvm.compiler.objects.kernel;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.compiler.objects.node.NodeMaker;

/** Nodes of kernels for tests. */
record KernelNodes(NodeMaker nodes) {
  ObjectNode var(String name, DType dtype) {
    return nodes.make("ir.Var", "ty", nodes.scalarType(dtype), "name", name);
  }

  ObjectNode int32(long value) {
    return constant(DType.INT32, value);
  }

  ObjectNode int64(long value) {
    return constant(DType.INT64, value);
  }

  private ObjectNode constant(DType dtype, long value) {
    return nodes.make("ir.IntImm", "ty", nodes.scalarType(dtype), "value", value);
  }

  ObjectNode binary(String op, DType dtype, ObjectNode a, ObjectNode b) {
    return nodes.make("tirx." + op, "ty", nodes.scalarType(dtype), "a", a, "b", b);
  }

  ObjectNode cast(DType dtype, ObjectNode value) {
    return nodes.make("tirx.Cast", "ty", nodes.scalarType(dtype), "value", value);
  }

  ObjectNode select(DType dtype, ObjectNode condition, ObjectNode yes, ObjectNode no) {
    return nodes.make(
        "tirx.Select",
        "ty",
        nodes.scalarType(dtype),
        "condition",
        condition,
        "true_value",
        yes,
        "false_value",
        no);
  }

  ObjectNode call(String operator, DType dtype, ObjectNode... args) {
    return nodes.make(
        "ir.Call",
        "ty",
        nodes.scalarType(dtype),
        "op",
        nodes.operator(operator),
        "args",
        List.of(args),
        "attrs",
        null,
        "ty_args",
        List.of());
  }

  ObjectNode text(String value) {
    return nodes.make("tirx.StringImm", "ty", nodes.scalarType(DType.VOID), "value", value);
  }

  /** A buffer in global memory. */
  ObjectNode buffer(String name, DType dtype, ObjectNode... shape) {
    return bufferIn("global", name, dtype, shape);
  }

  ObjectNode bufferIn(String scope, String name, DType dtype, ObjectNode... shape) {
    return buffer(name, dtype, List.of(shape), "storage_scope", scope);
  }

  /** A buffer whose type has other fields. */
  ObjectNode buffer(String name, DType dtype, List<ObjectNode> shape, @Nullable Object... changes) {
    @Nullable Object[] fields =
        Arrays.copyOf(
            new @Nullable Object[] {
              "dtype",
              nodes.scalarType(dtype),
              "storage_scope",
              "global",
              "shape",
              shape,
              "strides",
              List.of(),
              "elem_offset",
              int64(0),
              "data_alignment",
              64L,
              "offset_factor",
              1L,
              "layout",
              null,
              "allocated_addr",
              List.of()
            },
            18 + changes.length);
    System.arraycopy(changes, 0, fields, 18, changes.length);
    return nodes.make("ir.Var", "ty", nodes.make(BufferTypes.KEY, fields), "name", name);
  }

  ObjectNode load(ObjectNode buffer, DType dtype, ObjectNode... indices) {
    return nodes.make(
        "tirx.BufferLoad",
        "ty",
        nodes.scalarType(dtype),
        "buffer",
        buffer,
        "indices",
        List.of(indices),
        "predicate",
        null);
  }

  ObjectNode store(ObjectNode buffer, ObjectNode value, ObjectNode... indices) {
    return statement(
        "BufferStore",
        "buffer",
        buffer,
        "value",
        value,
        "indices",
        List.of(indices),
        "predicate",
        null);
  }

  ObjectNode evaluate(ObjectNode value) {
    return statement("Evaluate", "value", value);
  }

  ObjectNode seq(ObjectNode... statements) {
    return statement("SeqStmt", "seq", List.of(statements));
  }

  ObjectNode loop(ObjectNode counter, ObjectNode extent, ObjectNode body) {
    return loop(counter, extent, body, null);
  }

  ObjectNode loop(
      ObjectNode counter, ObjectNode extent, ObjectNode body, @Nullable ObjectNode step) {
    DType dtype = NodeAccess.scalarType(counter.type().get(counter, 1));
    ObjectNode zero = DType.INT64.equals(dtype) ? int64(0) : int32(0);
    return statement(
        "For",
        "loop_var",
        counter,
        "min",
        zero,
        "extent",
        extent,
        "kind",
        0L,
        "body",
        body,
        "thread_binding",
        null,
        "annotations",
        Map.of(),
        "step",
        step);
  }

  /** An axis from 0 on, of a kind. */
  ObjectNode axis(ObjectNode variable, ObjectNode extent, long kind) {
    ObjectNode range = nodes.make("ir.Range", "min", int32(0), "extent", extent, "span", null);
    return nodes.make(
        "tirx.IterVar", "dom", range, "var", variable, "iter_type", kind, "thread_tag", "");
  }

  /** A block that always runs, without regions. */
  ObjectNode block(
      String name,
      List<ObjectNode> axes,
      List<ObjectNode> values,
      Map<String, Object> annotations,
      ObjectNode body) {
    ObjectNode block =
        statement(
            "SBlock",
            "iter_vars",
            axes,
            "reads",
            List.of(),
            "writes",
            List.of(),
            "name_hint",
            name,
            "alloc_buffers",
            List.of(),
            "match_buffers",
            List.of(),
            "annotations",
            annotations,
            "init",
            null,
            "body",
            body);
    return statement(
        "SBlockRealize",
        "iter_values",
        values,
        "predicate",
        constant(DType.BOOL, 1),
        "block",
        block);
  }

  ObjectNode statement(String key, @Nullable Object... fields) {
    @Nullable Object[] all = Arrays.copyOf(fields, fields.length + 2);
    all[fields.length] = "span";
    return nodes.make("tirx." + key, all);
  }

  /** A kernel without a result, of the name that reading gives it. */
  ObjectNode kernel(ObjectNode body, ObjectNode... params) {
    return kernel(Map.of("global_symbol", "f", "s_tir", true), body, params);
  }

  ObjectNode kernel(Map<String, Object> attrs, ObjectNode body, ObjectNode... params) {
    return nodes.make(
        "tirx.PrimFunc",
        "attrs",
        nodes.make("ir.DictAttrs", "__dict__", attrs),
        "params",
        List.of(params),
        "ret_type",
        nodes.make("ir.TupleType", "fields", List.of()),
        "body",
        body);
  }
}
