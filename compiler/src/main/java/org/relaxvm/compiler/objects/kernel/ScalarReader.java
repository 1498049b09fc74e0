package org.relaxvm.compiler.objects.kernel;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.object.ObjectNode;
import org.relaxvm.compiler.objects.node.Problems;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Cast;
import org.relaxvm.tir.expr.DTypes;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.Not;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Select;
import org.relaxvm.tir.expr.Var;

/**
 * Scalar expressions from objects of Apache TVM. One for a module: the variable of a node is the
 * same wherever the node occurs. What cannot be held is a problem, never an exception. Not
 * thread-safe.
 *
 * <p>Nothing is folded. The bindings of {@code tirx.Let} are substituted, and {@code tirx.likely}
 * is its argument.
 */
public final class ScalarReader {
  private static final int MAX_DEPTH = 256;
  private static final int MAX_NODES = 4_000_000;
  private static final String UNREADABLE = "unreadable";

  private final Problems problems;
  private final Map<ObjectNode, PrimExpr> variables = new IdentityHashMap<>();
  private final Map<ObjectNode, Integer> sizes = new IdentityHashMap<>();
  private final Map<ObjectNode, Buffer> buffers = new IdentityHashMap<>();
  private int depth;
  private int count;

  /** A reader that knows no variables yet. */
  public ScalarReader(Problems problems) {
    this.problems = problems;
  }

  /**
   * Reads an expression.
   *
   * @param path of the node, for problems
   * @return of any dtype if there is a problem
   */
  public PrimExpr read(ObjectNode node, String path) {
    NodeAccess access = new NodeAccess(node, NodePath.of(path), problems);
    PrimExpr expr = readValue(access);
    if (expr != null) {
      return expr;
    }
    DType dtype = access.dtype();
    return new Var(UNREADABLE, dtype != null && DTypes.isScalar(dtype) ? dtype : DType.INT64);
  }

  /**
   * The variable of a node of type {@code ir.Var}.
   *
   * @param path of the node, for problems
   * @return a new variable if there is a problem
   */
  public Var variable(ObjectNode varNode, String path) {
    NodeAccess access = new NodeAccess(varNode, NodePath.of(path), problems);
    Var var = tryVariable(access);
    return var == null ? new Var(UNREADABLE, DType.INT64) : var;
  }

  /** The variable of a node; null, and a problem, if it is none of a scalar. */
  @Nullable Var tryVariable(NodeAccess node) {
    PrimExpr expr = readVariable(node);
    if (expr == null || expr instanceof Var) {
      return (Var) expr;
    }
    node.problem("", "the variable is one of a binding around it");
    return null;
  }

  /** A value that is assigned to a variable or compared with it. */
  @Nullable PrimExpr readFor(Var var, NodeAccess node) {
    return var.dtype().equals(DType.INT64) ? readIndex(node) : readValue(node);
  }

  /** Makes a variable the one of a node, until {@link #forget}. */
  void bind(ObjectNode node, Var var) {
    variables.put(node, var);
  }

  /** Ends {@link #bind}. */
  void forget(ObjectNode node) {
    variables.remove(node);
  }

  /** Makes a buffer the one of a node. */
  void bind(ObjectNode node, Buffer buffer) {
    buffers.put(node, buffer);
  }

  /** The buffer of a node; a problem if nothing defines it. */
  @Nullable Buffer buffer(NodeAccess node) {
    Buffer buffer = buffers.get(node.node());
    if (buffer == null) {
      node.problem("", "the buffer is not defined");
    }
    return buffer;
  }

  /** An index, an extent or an offset: of dtype int64. */
  @Nullable PrimExpr readIndex(NodeAccess node) {
    PrimExpr expr = tryRead(node);
    return expr == null ? null : toIndex(expr);
  }

  /** Indices or extents; null if one cannot be read. */
  @Nullable List<PrimExpr> readIndices(List<NodeAccess> nodes) {
    List<PrimExpr> exprs = new ArrayList<>();
    for (NodeAccess node : nodes) {
      PrimExpr expr = readIndex(node);
      if (expr != null) {
        exprs.add(expr);
      }
    }
    return exprs.size() == nodes.size() ? exprs : null;
  }

  /** A value: of the dtype that the node says. */
  @Nullable PrimExpr readValue(NodeAccess node) {
    PrimExpr expr = tryRead(node);
    DType dtype = node.dtype();
    return expr == null || dtype == null || !isWidened(expr, dtype) ? expr : new Cast(dtype, expr);
  }

  private static PrimExpr toIndex(PrimExpr expr) {
    DType dtype = expr.dtype();
    return dtype.equals(DType.INT64) || !DTypes.isInteger(dtype)
        ? expr
        : Exprs.cast(DType.INT64, expr);
  }

  /** Whether it is an index of int64 where the node is one of int32. */
  private static boolean isWidened(PrimExpr expr, DType declared) {
    return expr.dtype().equals(DType.INT64) && declared.equals(DType.INT32);
  }

  /** An expression; of int64 where the node is of int32 and has a variable that is an index. */
  @Nullable PrimExpr tryRead(NodeAccess node) {
    if (depth == MAX_DEPTH) {
      node.problem("", "expressions are nested more than " + MAX_DEPTH + " deep");
      return null;
    }
    if (!spend(node, 1)) {
      return null;
    }
    depth++;
    try {
      return dispatch(node);
    } finally {
      depth--;
    }
  }

  /** Whether that many more parts are allowed; a problem if not. */
  boolean spend(NodeAccess node, int nodes) {
    if (count <= MAX_NODES && count + nodes > MAX_NODES) {
      node.problem(
          "", "the kernels and scalars of the module have more than " + MAX_NODES + " parts");
    }
    count = Math.min(count + nodes, MAX_NODES + 1);
    return count <= MAX_NODES;
  }

  private @Nullable PrimExpr dispatch(NodeAccess node) {
    BinaryOp binary = Operators.binary().get(node.key());
    if (binary != null) {
      List<PrimExpr> operands = operands(node, List.of("a", "b"), 0);
      return operands == null
          ? null
          : node.make(() -> new Binary(binary, operands.get(0), operands.get(1)));
    }
    return switch (node.key()) {
      case "ir.Var" -> readVariable(node);
      case "ir.IntImm" -> integer(node);
      case "ir.FloatImm" -> real(node);
      case "tirx.Not" -> {
        List<PrimExpr> operands = operands(node, List.of("a"), 0);
        yield operands == null ? null : node.make(() -> new Not(operands.getFirst()));
      }
      case "tirx.Cast" -> cast(node);
      case "tirx.Select" -> select(node);
      case "tirx.BufferLoad" -> load(node);
      case "tirx.Let" -> substitute(node);
      case "ir.Call" -> call(node);
      default -> {
        node.cannotBeHeld();
        yield null;
      }
    };
  }

  private @Nullable PrimExpr readVariable(NodeAccess node) {
    PrimExpr known = variables.get(node.node());
    if (known != null) {
      Integer size = sizes.get(node.node());
      return size == null || spend(node, size) ? known : null;
    }
    DType dtype = node.dtype();
    if (!node.key().equals("ir.Var") || dtype == null) {
      node.problem("", "expected a scalar variable");
      return null;
    }
    String name = node.text("name");
    Var var = node.make(() -> new Var(name, dtype));
    if (var != null) {
      variables.put(node.node(), var);
    }
    return var;
  }

  private @Nullable PrimExpr integer(NodeAccess node) {
    DType dtype = requireDType(node);
    return dtype == null ? null : node.make(() -> new IntImm(dtype, node.integer("value")));
  }

  private @Nullable PrimExpr real(NodeAccess node) {
    DType dtype = requireDType(node);
    return dtype != null && node.get("value") instanceof Double value
        ? node.make(() -> new FloatImm(dtype, value))
        : null;
  }

  private static @Nullable DType requireDType(NodeAccess node) {
    DType dtype = node.dtype();
    if (dtype == null) {
      node.problem(".ty", "expected a scalar type");
    }
    return dtype;
  }

  private @Nullable PrimExpr cast(NodeAccess node) {
    DType dtype = requireDType(node);
    NodeAccess operand = node.child("value");
    PrimExpr value = operand == null ? null : tryRead(operand);
    if (dtype == null || operand == null || value == null) {
      return null;
    }
    DType declared = operand.dtype();
    boolean widened = declared != null && isWidened(value, declared);
    return widened && dtype.equals(DType.INT64) ? value : node.make(() -> new Cast(dtype, value));
  }

  private @Nullable PrimExpr select(NodeAccess node) {
    List<PrimExpr> read = operands(node, List.of("condition", "true_value", "false_value"), 1);
    if (read == null) {
      return null;
    }
    PrimExpr value = read.get(1);
    if (isAbsolute(read.get(0), value, read.get(2))) {
      return node.make(() -> new Call(Intrinsic.ABS, List.of(value)));
    }
    return node.make(() -> new Select(read.get(0), value, read.get(2)));
  }

  /** Whether a value is chosen where it is not negative, and its negative otherwise. */
  private static boolean isAbsolute(PrimExpr condition, PrimExpr value, PrimExpr otherwise) {
    if (!DTypes.isInteger(value.dtype())) {
      return false;
    }
    PrimExpr zero = new IntImm(value.dtype(), 0);
    return condition instanceof Binary(BinaryOp op, PrimExpr a, PrimExpr b)
        && op == BinaryOp.GE
        && a.equals(value)
        && b.equals(zero)
        && otherwise instanceof Binary(BinaryOp minus, PrimExpr from, PrimExpr what)
        && minus == BinaryOp.SUB
        && from.equals(zero)
        && what.equals(value);
  }

  private @Nullable PrimExpr load(NodeAccess node) {
    NodeAccess source = node.child("buffer");
    Buffer buffer = source == null ? null : buffer(source);
    List<PrimExpr> indices = readIndices(node.children("indices"));
    if (node.get("predicate") != null) {
      node.problem(".predicate", "the predicate of a load cannot be held");
      return null;
    }
    return buffer == null || indices == null
        ? null
        : node.make(() -> new BufferLoad(buffer, indices));
  }

  private @Nullable PrimExpr substitute(NodeAccess node) {
    NodeAccess variable = node.child("var");
    NodeAccess given = node.child("value");
    NodeAccess body = node.child("body");
    int before = count;
    PrimExpr value = given == null ? null : tryRead(given);
    if (variable == null || value == null || body == null) {
      return null;
    }
    variables.put(variable.node(), value);
    sizes.put(variable.node(), count - before);
    PrimExpr read = tryRead(body);
    variables.remove(variable.node());
    sizes.remove(variable.node());
    return read;
  }

  private @Nullable PrimExpr call(NodeAccess node) {
    NodeAccess op = node.child("op");
    if (op == null) {
      return null;
    }
    String name = op.key().equals("ir.Op") ? op.text("name") : op.key();
    List<NodeAccess> args = node.children("args");
    if (name.equals(Operators.LIKELY) && args.size() == 1) {
      return tryRead(args.getFirst());
    }
    if (name.equals(Operators.LARGE_CONSTANT) && args.size() == 2) {
      return largeConstant(node, args);
    }
    Intrinsic intrinsic = Operators.intrinsics().get(name);
    if (intrinsic == null) {
      node.problem("", "a call of " + name + " cannot be held");
      return null;
    }
    int first = intrinsic.rule() == Intrinsic.Rule.CHOICE ? 1 : 0;
    List<PrimExpr> read = unify(args, first);
    return read == null ? null : node.make(() -> new Call(intrinsic, read));
  }

  private @Nullable PrimExpr largeConstant(NodeAccess node, List<NodeAccess> halves) {
    PrimExpr low = tryRead(halves.get(0));
    PrimExpr high = tryRead(halves.get(1));
    if (low instanceof IntImm lowHalf && high instanceof IntImm highHalf) {
      long value = highHalf.value() << Integer.SIZE | (lowHalf.value() & 0xffff_ffffL);
      return node.make(() -> new IntImm(DType.UINT64, value));
    }
    node.problem("", "expected two constants of 32 bits");
    return null;
  }

  private @Nullable List<PrimExpr> operands(NodeAccess node, List<String> fields, int first) {
    List<NodeAccess> children = new ArrayList<>();
    for (String field : fields) {
      NodeAccess child = node.child(field);
      if (child != null) {
        children.add(child);
      }
    }
    List<PrimExpr> read = unify(children, first);
    return read == null || read.size() < fields.size() ? null : read;
  }

  /**
   * Reads operands. Where one is an index of int64 instead of int32, all are, from the first one
   * that has to have the dtype of the others.
   */
  private @Nullable List<PrimExpr> unify(List<NodeAccess> nodes, int first) {
    List<PrimExpr> exprs = new ArrayList<>();
    boolean widened = false;
    for (NodeAccess node : nodes) {
      PrimExpr expr = tryRead(node);
      if (expr != null) {
        DType dtype = node.dtype();
        widened |= exprs.size() >= first && dtype != null && isWidened(expr, dtype);
        exprs.add(expr);
      }
    }
    if (exprs.size() < nodes.size()) {
      return null;
    }
    for (int i = first; widened && i < exprs.size(); i++) {
      if (exprs.get(i).dtype().equals(DType.INT32)) {
        exprs.set(i, toIndex(exprs.get(i)));
      }
    }
    return exprs;
  }
}
