package org.relaxvm.compiler.objects.kernel;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.ForKind;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.LetCall;
import org.relaxvm.tir.stmt.LoopJump;
import org.relaxvm.tir.stmt.Return;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.stmt.ThreadAxis;

/**
 * Reads statements. {@code tirx.Bind} is a let statement around those after it; {@code
 * tirx.AllocBuffer} a temporary buffer of the block around it.
 */
final class StmtReader {
  private static final int MAX_DEPTH = 256;

  private final ScalarReader scalars;
  private final PackedCalls calls;
  private final BlockReader blocks;
  private final Map<Stmt, NodePath> paths = new IdentityHashMap<>();
  private @Nullable List<Buffer> allocated;
  private int depth;

  StmtReader(ScalarReader scalars, PackedCalls calls) {
    this.scalars = scalars;
    this.calls = calls;
    this.blocks = new BlockReader(scalars, this);
  }

  /**
   * The body of a function or block.
   *
   * @param buffers which the allocations of the body are added to
   */
  @Nullable Stmt readBody(NodeAccess node, List<Buffer> buffers) {
    return readWith(node, buffers);
  }

  /** A statement within a loop or branch, where nothing is allocated. */
  @Nullable Stmt readInside(NodeAccess node) {
    return readWith(node, null);
  }

  private @Nullable Stmt readWith(NodeAccess node, @Nullable List<Buffer> buffers) {
    List<Buffer> outer = allocated;
    allocated = buffers;
    Stmt stmt = read(node);
    allocated = outer;
    return stmt;
  }

  /** Defines the buffer of a variable and adds it to those of a block. */
  void define(NodeAccess variable, List<Buffer> buffers) {
    Buffer buffer = BufferTypes.read(variable, scalars);
    if (buffer != null) {
      scalars.bind(variable.node(), buffer);
      buffers.add(buffer);
    }
  }

  /** Defines a buffer that cannot be held, so that its uses are no problems of their own. */
  void defineUnheld(NodeAccess variable) {
    define(variable, new ArrayList<>());
  }

  private @Nullable Stmt read(NodeAccess node) {
    if (depth >= MAX_DEPTH) {
      node.problem("", "statements are nested more than " + MAX_DEPTH + " deep");
      return null;
    }
    if (!scalars.spend(node, 1)) {
      return null;
    }
    int before = depth;
    depth++;
    Stmt stmt = dispatch(node);
    depth = before;
    return stmt == null ? null : located(stmt, node);
  }

  private Stmt located(Stmt stmt, NodeAccess node) {
    // A jump is one object wherever it is.
    if (!(stmt instanceof LoopJump)) {
      paths.putIfAbsent(stmt, node.path());
    }
    return stmt;
  }

  /** The path of the first of some statements that has one, or else another path. */
  NodePath pathOf(List<Stmt> statements, NodePath otherwise) {
    return statements.stream()
        .map(paths::get)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(otherwise);
  }

  private @Nullable Stmt dispatch(NodeAccess node) {
    return switch (node.key()) {
      case "tirx.SBlockRealize" -> blocks.read(node);
      case "tirx.For" -> loop(node);
      case "tirx.IfThenElse" -> branch(node);
      case "tirx.SeqStmt" -> sequence(node.children("seq"));
      case "tirx.Bind", "tirx.AllocBuffer" -> sequence(List.of(node));
      case "tirx.BufferStore" -> store(node);
      case "tirx.Evaluate" -> evaluate(node);
      case "tirx.Return" -> result(node);
      case "tirx.Break" -> LoopJump.BREAK;
      case "tirx.Continue" -> LoopJump.CONTINUE;
      default -> {
        refuse(node);
        yield null;
      }
    };
  }

  /** Notes that a statement cannot be held, and what within it cannot. */
  private void refuse(NodeAccess node) {
    node.cannotBeHeld();
    NodeAccess inner = node.get("body") == null ? null : node.child("body");
    Stmt unused = inner == null ? null : readInside(inner);
    NodeAccess variable = node.get("buffer") == null ? null : node.child("buffer");
    if (variable != null) {
      defineUnheld(variable);
    }
  }

  /** Statements of which each let statement contains those after it. */
  private @Nullable Stmt sequence(List<NodeAccess> nodes) {
    // Per let statement: what stands before it, and what it makes of what stands after it.
    record Open(List<Stmt> before, UnaryOperator<Stmt> let) {}
    Deque<Open> open = new ArrayDeque<>();
    List<Stmt> current = new ArrayList<>();
    boolean failed = false;
    for (NodeAccess node : nodes) {
      switch (node.key()) {
        case "tirx.Bind" -> {
          UnaryOperator<Stmt> let = let(node);
          failed |= let == null;
          if (let != null) {
            open.push(new Open(current, let));
            current = new ArrayList<>();
            depth++;
          }
        }
        case "tirx.AllocBuffer" -> failed |= !allocate(node);
        default -> {
          Stmt stmt = read(node);
          failed |= stmt == null;
          if (stmt != null) {
            current.add(stmt);
          }
        }
      }
    }
    if (failed) {
      return null;
    }
    Stmt body = Seq.of(current);
    while (!open.isEmpty()) {
      Open last = open.pop();
      last.before().add(last.let().apply(body));
      body = Seq.of(last.before());
    }
    return body;
  }

  private @Nullable UnaryOperator<Stmt> let(NodeAccess node) {
    NodeAccess variable = node.child("var");
    NodeAccess given = node.child("value");
    Var var = variable == null ? null : scalars.tryVariable(variable);
    if (var == null || given == null) {
      return null;
    }
    Seq nothing = new Seq(List.of());
    if (calls.isCall(given)) {
      CallPacked call = calls.read(given);
      LetCall checked = call == null ? null : node.make(() -> new LetCall(var, call, nothing));
      return checked == null ? null : body -> located(new LetCall(var, checked.call(), body), node);
    }
    PrimExpr value = scalars.readFor(var, given);
    Let checked = value == null ? null : node.make(() -> new Let(var, value, nothing));
    return checked == null ? null : body -> located(new Let(var, checked.value(), body), node);
  }

  private boolean allocate(NodeAccess node) {
    NodeAccess variable = node.child("buffer");
    if (variable == null) {
      return false;
    }
    if (allocated == null) {
      node.problem("", "tirx.AllocBuffer within a loop or branch cannot be held");
      defineUnheld(variable);
      return false;
    }
    if (!node.entries("annotations").isEmpty()) {
      node.problem(".annotations", "annotations of an allocation cannot be held");
    }
    int before = allocated.size();
    define(variable, allocated);
    return allocated.size() > before;
  }

  private @Nullable Stmt loop(NodeAccess node) {
    NodeAccess variable = node.child("loop_var");
    NodeAccess first = node.child("min");
    NodeAccess count = node.child("extent");
    NodeAccess inner = node.child("body");
    Var var = variable == null ? null : scalars.tryVariable(variable);
    if (var == null || first == null || count == null || inner == null) {
      return null;
    }
    PrimExpr min = scalars.readFor(var, first);
    PrimExpr extent = scalars.readFor(var, count);
    ForKind kind = kind(node);
    boolean bound = node.get("thread_binding") != null;
    ThreadAxis thread = bound ? thread(node) : null;
    boolean steps = hasStep(node);
    Map<String, Object> annotations = Attributes.read(node, "annotations");
    Stmt body = readInside(inner);
    if (min == null
        || extent == null
        || kind == null
        || (bound && thread == null)
        || steps
        || body == null) {
      return null;
    }
    Optional<ThreadAxis> axis = Optional.ofNullable(thread);
    return node.make(() -> new For(var, min, extent, kind, axis, body, annotations));
  }

  private static @Nullable ForKind kind(NodeAccess node) {
    long kind = node.integer("kind");
    if (kind >= 0 && kind < ForKind.values().length) {
      return ForKind.values()[(int) kind];
    }
    node.problem(".kind", "a loop of kind " + kind + " cannot be held");
    return null;
  }

  private static @Nullable ThreadAxis thread(NodeAccess node) {
    NodeAccess binding = node.child("thread_binding");
    if (binding == null) {
      return null;
    }
    String tag = binding.text("thread_tag");
    Optional<ThreadAxis> axis = ThreadAxis.of(tag);
    if (axis.isEmpty()) {
      binding.problem(
          ".thread_tag",
          "the thread axis '"
              + tag
              + "' cannot be held; there are: "
              + Arrays.stream(ThreadAxis.values())
                  .map(ThreadAxis::text)
                  .collect(Collectors.joining(", ")));
    }
    return axis.orElse(null);
  }

  /** Whether a loop does not count by 1, which is a problem. */
  private boolean hasStep(NodeAccess node) {
    NodeAccess step = node.get("step") == null ? null : node.child("step");
    if (step == null || (scalars.tryRead(step) instanceof IntImm known && known.value() == 1)) {
      return false;
    }
    step.problem("", "a loop with a step other than 1 cannot be held");
    return true;
  }

  private @Nullable Stmt branch(NodeAccess node) {
    NodeAccess given = node.child("condition");
    NodeAccess first = node.child("then_case");
    NodeAccess second = node.get("else_case") == null ? null : node.child("else_case");
    PrimExpr condition = given == null ? null : scalars.readValue(given);
    Stmt whenTrue = first == null ? null : readInside(first);
    Stmt whenFalse = second == null ? null : readInside(second);
    return condition == null || whenTrue == null || (second != null && whenFalse == null)
        ? null
        : node.make(() -> new IfThenElse(condition, whenTrue, Optional.ofNullable(whenFalse)));
  }

  private @Nullable Stmt store(NodeAccess node) {
    NodeAccess target = node.child("buffer");
    NodeAccess given = node.child("value");
    Buffer buffer = target == null ? null : scalars.buffer(target);
    PrimExpr value = given == null ? null : scalars.readValue(given);
    List<PrimExpr> indices = scalars.readIndices(node.children("indices"));
    if (node.get("predicate") != null) {
      node.problem(".predicate", "the predicate of a store cannot be held");
      return null;
    }
    return buffer == null || value == null || indices == null
        ? null
        : node.make(() -> new BufferStore(buffer, value, indices));
  }

  private @Nullable Stmt evaluate(NodeAccess node) {
    NodeAccess value = node.child("value");
    if (value == null) {
      return null;
    }
    if (calls.isCall(value)) {
      return calls.read(value);
    }
    if (value.key().equals("ir.IntImm")) {
      return new Seq(List.of());
    }
    String operator = PackedCalls.operatorOf(value);
    switch (operator) {
      case "tirx.break_loop" -> {
        return LoopJump.BREAK;
      }
      case "tirx.continue_loop" -> {
        return LoopJump.CONTINUE;
      }
      case "" -> node.problem("", "an expression as a statement cannot be held");
      default -> value.problem("", "a call of " + operator + " cannot be held");
    }
    return null;
  }

  private @Nullable Stmt result(NodeAccess node) {
    NodeAccess value = node.child("value");
    PrimExpr read = value == null ? null : scalars.readValue(value);
    return read == null ? null : new Return(read);
  }
}
