package org.relaxvm.compiler.objects.kernel;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.compiler.objects.node.NodeMaker;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Cast;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.Not;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Select;
import org.relaxvm.tir.expr.Var;

/**
 * Scalar expressions as objects of Apache TVM. One for a module: a variable is the same node
 * wherever it occurs. Not thread-safe.
 */
public final class ScalarWriter {
  private static final long LOW_HALF = 0xffff_ffffL;

  private final NodeMaker nodes;
  private final Map<Var, ObjectNode> variables = new IdentityHashMap<>();
  private final Map<Buffer, ObjectNode> buffers = new IdentityHashMap<>();

  /** A writer of nodes that a maker makes. */
  public ScalarWriter(NodeMaker nodes) {
    this.nodes = nodes;
  }

  /** The node of a variable; always the same. */
  public ObjectNode variable(Var var) {
    return variables.computeIfAbsent(
        var, v -> nodes.make("ir.Var", "ty", nodes.scalarType(v.dtype()), "name", v.name()));
  }

  /** An expression as a node. */
  public ObjectNode write(PrimExpr expr) {
    return switch (expr) {
      case Var var -> variable(var);
      case IntImm imm -> constant(imm);
      case FloatImm imm -> typed("ir.FloatImm", imm.dtype(), "value", imm.value());
      case Binary binary ->
          typed(
              Operators.key(binary.op()),
              binary.dtype(),
              "a",
              write(binary.a()),
              "b",
              write(binary.b()));
      case Not not -> typed("tirx.Not", DType.BOOL, "a", write(not.a()));
      case Cast cast -> typed("tirx.Cast", cast.dtype(), "value", write(cast.value()));
      case Select select ->
          select(
              write(select.condition()),
              write(select.whenTrue()),
              write(select.whenFalse()),
              select.dtype());
      case BufferLoad load ->
          typed(
              "tirx.BufferLoad",
              load.dtype(),
              "buffer",
              buffer(load.buffer()),
              "indices",
              writeAll(load.indices()),
              "predicate",
              null);
      case Call call -> function(call);
    };
  }

  /** Expressions as a list of nodes. */
  List<ObjectNode> writeAll(List<PrimExpr> exprs) {
    List<ObjectNode> written = new ArrayList<>();
    exprs.forEach(expr -> written.add(write(expr)));
    return List.copyOf(written);
  }

  /** The node of a buffer: a variable of its type; always the same. */
  ObjectNode buffer(Buffer buffer) {
    ObjectNode known = buffers.get(buffer);
    if (known == null) {
      known =
          nodes.make("ir.Var", "ty", BufferTypes.write(buffer, this, nodes), "name", buffer.name());
      buffers.put(buffer, known);
    }
    return known;
  }

  private ObjectNode constant(IntImm imm) {
    if (imm.dtype().equals(DType.UINT64) && imm.value() < 0) {
      return intrinsic(
          Operators.LARGE_CONSTANT,
          imm.dtype(),
          List.of(
              typed("ir.IntImm", DType.UINT32, "value", imm.value() & LOW_HALF),
              typed("ir.IntImm", DType.UINT32, "value", imm.value() >>> Integer.SIZE)));
    }
    return typed("ir.IntImm", imm.dtype(), "value", imm.value());
  }

  private ObjectNode function(Call call) {
    List<ObjectNode> args = writeAll(call.args());
    if (call.op() == Intrinsic.ABS && !call.dtype().isFloat()) {
      ObjectNode value = args.getFirst();
      ObjectNode zero = write(new IntImm(call.dtype(), 0));
      return select(
          typed(Operators.key(BinaryOp.GE), DType.BOOL, "a", value, "b", zero),
          value,
          typed(Operators.key(BinaryOp.SUB), call.dtype(), "a", zero, "b", value),
          call.dtype());
    }
    return intrinsic(Operators.name(call.op()), call.dtype(), args);
  }

  private ObjectNode select(
      ObjectNode condition, ObjectNode whenTrue, ObjectNode whenFalse, DType dtype) {
    return typed(
        "tirx.Select",
        dtype,
        "condition",
        condition,
        "true_value",
        whenTrue,
        "false_value",
        whenFalse);
  }

  /** A call of an operator. */
  ObjectNode intrinsic(String operator, DType dtype, List<ObjectNode> args) {
    return typed(
        "ir.Call",
        dtype,
        "op",
        nodes.operator(operator),
        "args",
        List.copyOf(args),
        "attrs",
        null,
        "ty_args",
        List.of());
  }

  /** An expression of a dtype. */
  private ObjectNode typed(String key, DType dtype, @Nullable Object... fields) {
    @Nullable Object[] all = Arrays.copyOf(fields, fields.length + 2);
    all[fields.length] = "ty";
    all[fields.length + 1] = nodes.scalarType(dtype);
    return nodes.make(key, all);
  }
}
