package org.relaxvm.backendcpu.codegen.loops;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.rules.Notes;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.CallPacked;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.ForKind;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.IterKind;
import org.relaxvm.tir.stmt.IterVar;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.LetCall;
import org.relaxvm.tir.stmt.LoopJump;
import org.relaxvm.tir.stmt.PackedArg;
import org.relaxvm.tir.stmt.Range;
import org.relaxvm.tir.stmt.Return;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.verify.Access;
import org.relaxvm.tir.verify.StableFacts;
import org.relaxvm.tir.verify.Unproven;
import org.relaxvm.tir.verify.Verifier;

/**
 * Turns a kernel into loops over flat memory: axes of blocks become what their values are, the
 * start of a reduction goes in front of its loop, conditions that only end a loop sooner become its
 * end, loops of kind {@link ForKind#UNROLLED} are written out, and indices are simplified by the
 * ranges of their variables. For one kernel; not thread-safe.
 */
public final class Lowering {
  private static final int MOST_UNROLLED = 64;

  private final PrimFunc function;
  private final Analyzer analyzer = new Analyzer();
  private final FlatBuffers buffers = new FlatBuffers();
  private final Map<Var, PrimExpr> values = new IdentityHashMap<>();
  private final Map<BufferLoad, List<IndexCheck>> checks = new IdentityHashMap<>();
  private final Set<Access> unproven;
  private final Set<For> serial = Collections.newSetFromMap(new IdentityHashMap<>());
  // Blocks around the place where the walk is, from the outside in.
  private final List<Block> around = new ArrayList<>();
  // Axes of blocks around the place where the walk is that are computed by a division.
  private final Map<Var, PrimExpr> quotients = new LinkedHashMap<>();
  private boolean parallel;

  private Lowering(PrimFunc function, Unproven unproven) {
    this.function = function;
    this.unproven = new HashSet<>(unproven.accesses());
    this.serial.addAll(unproven.loops());
  }

  /**
   * The loops of a kernel.
   *
   * @param function a valid kernel
   * @param unproven what {@link Verifier#verify} says of it
   */
  public static LoopProgram of(PrimFunc function, Unproven unproven) {
    return new Lowering(function, unproven).lower();
  }

  /** The loops of a valid kernel, which is verified for what is not proven of it. */
  public static LoopProgram of(PrimFunc function) {
    return of(function, Verifier.verify(function));
  }

  private LoopProgram lower() {
    List<Buffer> flat = new ArrayList<>();
    for (Buffer buffer : function.buffers()) {
      flat.add(buffers.parameter(buffer));
      for (PrimExpr extent : buffer.shape()) {
        if (extent instanceof Var var) {
          analyzer.markNonNegative(var);
        }
      }
    }
    Node body = lower(function.body());
    return new LoopProgram(function, flat, variables(function), body, checks);
  }

  /** Scalar parameters and symbolic extents, strides and offsets, in the order of parameters. */
  public static List<Var> variables(PrimFunc function) {
    Set<Var> variables = new LinkedHashSet<>();
    for (Param param : function.params()) {
      switch (param) {
        case Param.OfScalar(Var var) -> variables.add(var);
        case Param.OfHandle handle -> throw hostOnly(function.name());
        case Param.OfBuffer(Buffer buffer) -> {
          buffer.shape().forEach(extent -> addVariable(extent, variables));
          buffer.strides().forEach(stride -> addVariable(stride, variables));
          addVariable(buffer.elemOffset(), variables);
        }
      }
    }
    return List.copyOf(variables);
  }

  private static void addVariable(PrimExpr expr, Set<Var> variables) {
    if (expr instanceof Var var) {
      variables.add(var);
    }
  }

  private Node lower(Stmt stmt) {
    return switch (stmt) {
      case For loop -> lowerLoop(loop);
      case BlockRealize realize -> lowerBlock(realize);
      case BufferStore(Buffer buffer, PrimExpr value, List<PrimExpr> indices) ->
          new Node.Store(
              buffers.of(buffer),
              place(buffer, indices),
              value(value),
              checksOf(buffer, indices, true));
      case Seq(List<Stmt> statements) ->
          Node.sequence(statements.stream().map(this::lower).toList());
      case IfThenElse(PrimExpr condition, Stmt whenTrue, Optional<Stmt> whenFalse) ->
          lowerChoice(condition, whenTrue, whenFalse);
      case Let(Var var, PrimExpr value, Stmt body) -> {
        PrimExpr known = value(value);
        try (Analyzer.Scope scope = analyzer.scope()) {
          if (StableFacts.isStable(value, body)) {
            analyzer.bind(var, known);
          }
          yield new Node.Define(var, known, lower(body));
        }
      }
      case CallPacked call ->
          new Node.Invoke(
              call.name(),
              call.args().stream().map(this::packedArg).toList(),
              written(call.args()));
      case Return(PrimExpr value) -> new Node.Result(value(value));
      case LetCall let -> throw hostOnly(let.call().name());
      case LoopJump jump -> throw hostOnly(jump.text());
    };
  }

  private static IllegalStateException hostOnly(String what) {
    return new IllegalStateException("belongs to a host function, which is no kernel: " + what);
  }

  private Node lowerChoice(PrimExpr condition, Stmt whenTrue, Optional<Stmt> whenFalse) {
    PrimExpr known = simple(value(condition));
    if (known instanceof IntImm constant) {
      return constant.value() != 0
          ? lower(whenTrue)
          : whenFalse.map(this::lower).orElse(Node.nothing());
    }
    Node first;
    try (Analyzer.Scope scope = where(condition, whenTrue)) {
      first = lower(whenTrue);
    }
    Optional<Node> second = Optional.empty();
    if (whenFalse.isPresent()) {
      try (Analyzer.Scope scope = where(Exprs.not(condition), whenFalse.get())) {
        second = Optional.of(lower(whenFalse.get()));
      }
    }
    return new Node.Branch(known, first, second);
  }

  /** A scope with what of a condition stays true in a statement. */
  private Analyzer.Scope where(PrimExpr condition, Stmt statement) {
    return analyzer.withConstraint(simple(value(StableFacts.of(condition, statement))));
  }

  private Node lowerLoop(For loop) {
    PrimExpr min = wide(simple(value(loop.min())));
    PrimExpr extent = wide(simple(value(loop.extent())));
    boolean isStable = StableFacts.isStable(loop.min(), loop.body());
    if (extent instanceof IntImm turns && (isStable || turns.value() <= 0)) {
      if (turns.value() <= 0) {
        return Node.nothing();
      }
      boolean written = loop.kind() == ForKind.UNROLLED && turns.value() <= MOST_UNROLLED;
      if (turns.value() == 1 || written) {
        return unrolled(loop, min, turns.value());
      }
    }
    Node.Mode mode = mode(loop);
    boolean outer = parallel;
    parallel |= mode == Node.Mode.PARALLEL;
    Var counter = Var.index(loop.loopVar().name());
    values.put(loop.loopVar(), Exprs.cast(loop.loopVar().dtype(), counter));
    Node body;
    try (Analyzer.Scope scope = analyzer.scope()) {
      if (isStable && StableFacts.isStable(loop.extent(), loop.body())) {
        analyzer.bind(counter, new Range(min, extent));
      }
      body = lower(loop.body());
    }
    values.remove(loop.loopVar());
    parallel = outer;
    long grain = loop.annotations().get(Notes.GRAIN) instanceof Long turns ? Math.max(1, turns) : 1;
    Node shaped =
        LoopShape.tighten(new Node.Loop(counter, min, extent, mode, grain, body), analyzer);
    return Boolean.TRUE.equals(loop.annotations().get(Notes.TILE_TRANSPOSE))
        ? TransposedTiles.of(shaped, checks, analyzer)
        : shaped;
  }

  private Node unrolled(For loop, PrimExpr min, long turns) {
    List<Node> bodies = new ArrayList<>();
    for (long i = 0; i < turns; i++) {
      PrimExpr value = simple(Exprs.add(min, i));
      values.put(loop.loopVar(), Exprs.cast(loop.loopVar().dtype(), value));
      bodies.add(lower(loop.body()));
    }
    values.remove(loop.loopVar());
    return Node.sequence(bodies);
  }

  private Node.Mode mode(For loop) {
    if (loop.kind() == ForKind.PARALLEL && !parallel && !serial.contains(loop)) {
      return Node.Mode.PARALLEL;
    }
    if (loop.kind() == ForKind.VECTORIZED && !serial.contains(loop)) {
      return Node.Mode.VECTOR;
    }
    return Boolean.TRUE.equals(loop.annotations().get(Notes.REDUCE_LANES))
        ? Node.Mode.REDUCTION
        : Node.Mode.SERIAL;
  }

  private Node lowerBlock(BlockRealize realize) {
    Block block = realize.block();
    PrimExpr predicate = simple(value(realize.predicate()));
    if (predicate instanceof IntImm constant && constant.value() == 0) {
      return Node.nothing();
    }
    List<Var> defined = new ArrayList<>();
    List<PrimExpr> definitions = new ArrayList<>();
    PrimExpr first = IntImm.of(true);
    Node body;
    try (Analyzer.Scope scope = where(realize.predicate(), realize)) {
      for (int i = 0; i < realize.iterValues().size(); i++) {
        IterVar axis = block.iterVars().get(i);
        PrimExpr value = simple(value(realize.iterValues().get(i)));
        if (axis.kind() == IterKind.REDUCE) {
          PrimExpr start = simple(value(axis.domain().min()));
          first = Exprs.and(first, simple(Exprs.eq(value, start)));
        }
        boolean isStable = StableFacts.isStable(realize.iterValues().get(i), realize);
        if (!isStable || divides(value)) {
          // Computed once, not at each use.
          Var var = new Var(axis.var().name(), axis.var().dtype());
          defined.add(var);
          definitions.add(value);
          if (isStable) {
            analyzer.bind(var, new Range(axis.domain().min(), axis.domain().extent()));
            quotients.put(var, value);
          }
          value = var;
        }
        values.put(axis.var(), value);
      }
      body = lowerInside(block, first);
    }
    block.iterVars().forEach(axis -> values.remove(axis.var()));
    for (int i = defined.size() - 1; i >= 0; i--) {
      Var var = defined.get(i);
      quotients.remove(var);
      if (isUsed(body, var)) {
        body = new Node.Define(var, definitions.get(i), body);
      }
    }
    return predicate instanceof IntImm ? body : new Node.Branch(predicate, body, Optional.empty());
  }

  private Node lowerInside(Block block, PrimExpr first) {
    List<Buffer> allocated = new ArrayList<>();
    for (Buffer buffer : block.allocBuffers()) {
      allocated.add(buffers.allocated(buffer));
    }
    List<Node> nodes = new ArrayList<>();
    if (block.init().isPresent()) {
      Node init = lower(block.init().get());
      if (!(first instanceof IntImm constant)) {
        nodes.add(new Node.Branch(first, init, Optional.empty()));
      } else if (constant.value() != 0) {
        nodes.add(init);
      }
    }
    around.add(block);
    nodes.add(lower(block.body()));
    around.removeLast();
    Node body = Node.sequence(nodes);
    for (int i = allocated.size() - 1; i >= 0; i--) {
      Buffer flat = allocated.get(i);
      List<PrimExpr> shape =
          block.allocBuffers().get(i).shape().stream().map(this::simpleValue).toList();
      body = new Node.Allocate(flat, shape, simpleValue(flat.shape().getFirst()), body);
    }
    return body;
  }

  /** The parameters that a packed function may write: those that all blocks around let it write. */
  private List<Buffer> written(List<PackedArg> args) {
    List<Buffer> written = new ArrayList<>();
    for (PackedArg arg : args) {
      if (arg instanceof PackedArg.OfBuffer(Buffer buffer)
          && function.buffers().contains(buffer)
          && around.stream().allMatch(block -> mayWrite(block, buffer))) {
        written.add(buffers.of(buffer));
      }
    }
    return written;
  }

  private static boolean mayWrite(Block block, Buffer buffer) {
    boolean saysNothing = block.reads().isEmpty() && block.writes().isEmpty();
    return saysNothing
        || block.writes().stream().anyMatch(region -> region.buffer().equals(buffer));
  }

  private PackedArg packedArg(PackedArg arg) {
    return switch (arg) {
      case PackedArg.OfBuffer(Buffer buffer) -> new PackedArg.OfBuffer(buffers.of(buffer));
      case PackedArg.OfScalar(PrimExpr value) -> new PackedArg.OfScalar(value(value));
      case PackedArg.OfText text -> text;
      case PackedArg.OfHandle handle -> throw hostOnly("the handle " + handle.handle());
      case PackedArg.OfItem item -> throw hostOnly("the list " + item.item().list());
      case PackedArg.OfNull none -> throw hostOnly("None");
    };
  }

  /** An expression over what is left of the variables, with flat loads. */
  private PrimExpr value(PrimExpr expr) {
    if (expr instanceof Var var) {
      PrimExpr value = values.get(var);
      return value != null ? value : var;
    }
    if (expr instanceof BufferLoad(Buffer buffer, List<PrimExpr> indices)) {
      PrimExpr place = place(buffer, indices);
      BufferLoad load = new BufferLoad(buffers.of(buffer), List.of(place));
      List<IndexCheck> wanted = checksOf(buffer, indices, false);
      if (!wanted.isEmpty()) {
        checks.put(load, wanted);
      }
      return load;
    }
    List<PrimExpr> operands = expr.operands().stream().map(this::value).toList();
    return operands.isEmpty() ? expr : Exprs.rebuild(expr, operands);
  }

  private PrimExpr place(Buffer buffer, List<PrimExpr> indices) {
    List<PrimExpr> known = indices.stream().map(this::value).map(Lowering::wide).toList();
    PrimExpr place = simple(buffers.place(buffer, known, this::value));
    if (quotients.isEmpty()) {
      return place;
    }
    // Quotient and rest of a fused loop often make its counter again.
    PrimExpr whole = simple(Substitution.in(place, quotients));
    return divides(whole) ? place : whole;
  }

  private boolean isUsed(Node node, Var var) {
    return node.exprs().stream().anyMatch(expr -> isUsed(expr, var))
        || (node instanceof Node.Store store && isChecked(store.checks(), var))
        || node.children().stream().anyMatch(child -> isUsed(child, var));
  }

  private boolean isUsed(PrimExpr expr, Var var) {
    return expr.equals(var)
        || (expr instanceof BufferLoad load && isChecked(checks.getOrDefault(load, List.of()), var))
        || expr.operands().stream().anyMatch(operand -> isUsed(operand, var));
  }

  private static boolean isChecked(List<IndexCheck> checks, Var var) {
    return checks.stream()
        .anyMatch(check -> Affine.uses(check.index(), var) || Affine.uses(check.extent(), var));
  }

  private List<IndexCheck> checksOf(Buffer buffer, List<PrimExpr> indices, boolean writes) {
    List<IndexCheck> wanted = new ArrayList<>();
    for (int axis = 0; axis < indices.size() && !unproven.isEmpty(); axis++) {
      if (unproven.contains(new Access(buffer, indices, axis, writes))) {
        String what =
            "a " + (writes ? "write" : "read") + " of the buffer " + buffer + ": axis " + axis;
        wanted.add(
            new IndexCheck(
                what, wide(value(indices.get(axis))), simpleValue(buffer.shape().get(axis))));
      }
    }
    return wanted;
  }

  private PrimExpr simpleValue(PrimExpr expr) {
    return simple(value(expr));
  }

  private PrimExpr simple(PrimExpr expr) {
    return expr instanceof IntImm || expr instanceof Var || hasLoad(expr)
        ? expr
        : analyzer.simplify(expr);
  }

  /** Index arithmetic in int32 as int64: it is taken for granted not to overflow. */
  private static PrimExpr wide(PrimExpr expr) {
    if (!expr.dtype().equals(DType.INT64)) {
      return Exprs.cast(DType.INT64, expr);
    }
    if (expr instanceof org.relaxvm.tir.expr.Cast(DType dtype, PrimExpr value)
        && value.dtype().equals(DType.INT32)) {
      return widened(value);
    }
    List<PrimExpr> operands = expr.operands();
    return expr instanceof Binary
        ? Exprs.rebuild(expr, operands.stream().map(Lowering::wide).toList())
        : expr;
  }

  private static PrimExpr widened(PrimExpr expr) {
    return switch (expr) {
      case Binary(BinaryOp op, PrimExpr a, PrimExpr b)
          when op == BinaryOp.ADD || op == BinaryOp.SUB || op == BinaryOp.MUL ->
          Exprs.binary(op, widened(a), widened(b));
      case org.relaxvm.tir.expr.Cast(DType dtype, PrimExpr value)
          when value.dtype().equals(DType.INT64) && value instanceof Var ->
          value;
      default -> Exprs.cast(DType.INT64, expr);
    };
  }

  private static boolean divides(PrimExpr expr) {
    return (expr instanceof Binary binary
            && switch (binary.op()) {
              case DIV, MOD, FLOOR_DIV, FLOOR_MOD -> true;
              default -> false;
            })
        || hasLoadHere(expr)
        || expr.operands().stream().anyMatch(Lowering::divides);
  }

  private static boolean hasLoadHere(PrimExpr expr) {
    return expr instanceof BufferLoad;
  }

  private static boolean hasLoad(PrimExpr expr) {
    return hasLoadHere(expr) || expr.operands().stream().anyMatch(Lowering::hasLoad);
  }
}
