package org.relaxvm.backendcpu.codegen.emit;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ConstantDescs;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcpu.codegen.cost.CodeSize;
import org.relaxvm.backendcpu.codegen.emit.ScalarEmitter.Local;
import org.relaxvm.backendcpu.codegen.loops.Names;
import org.relaxvm.backendcpu.codegen.loops.Node;
import org.relaxvm.backendcpu.codegen.loops.Promotion;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/**
 * Writes loops. Loops without loops inside count in ints, in chunks where there may be more
 * iterations than an int holds, and step along memory by places that are computed in front of them:
 * that is what the JIT compiler makes fast code of.
 */
final class LoopEmitter {
  private static final int CHUNK = 1 << 30;

  /** Methods take at most 255 slots of arguments. */
  private static final int MOST_SLOTS = 240;

  private final ClassPlan plan;
  private final ScalarEmitter scalars;
  private final CodeBuilder code;
  private final MethodEmitter method;

  LoopEmitter(ClassPlan plan, ScalarEmitter scalars, MethodEmitter method) {
    this.plan = plan;
    this.scalars = scalars;
    this.code = scalars.code();
    this.method = method;
  }

  void emit(Node.Loop loop) {
    if (lanes(loop).isEmpty() || !hasRoom(loop)) {
      emitHere(loop);
      return;
    }
    Label end = code.newLabel();
    emitIsEmpty(loop, end);
    List<PrimExpr> hoisted = hoist(loop);
    if (mostTurns(loop.extent()) <= CHUNK) {
      methods(loop).forEach(this::call);
    } else {
      emitChunks(loop);
    }
    hoisted.forEach(scalars::forget);
    code.labelBinding(end);
  }

  /** Jumps where there is no iteration. */
  private void emitIsEmpty(Node.Loop loop, Label end) {
    if (!(loop.extent() instanceof IntImm turns && turns.value() > 0)) {
      scalars.emit(loop.extent());
      code.lconst_0().lcmp().ifle(end);
    }
  }

  /**
   * Cuts a loop in front of its method: a loop inside of another one, which hardly ever runs a
   * second iteration, would check indices in all its iterations.
   */
  private void emitChunks(Node.Loop loop) {
    Var from = Var.index("from");
    Var left = Var.index("left");
    PrimExpr turns = Exprs.min(left, IntImm.of(CHUNK));
    Node.Loop chunk =
        new Node.Loop(loop.counter(), from, turns, loop.mode(), loop.grain(), loop.body());
    scalars.emit(loop.min());
    Local start = scalars.define(from);
    scalars.emit(loop.extent());
    Local rest = scalars.define(left);
    Label top = code.newBoundLabel();
    methods(chunk).forEach(this::call);
    scalars.load(start);
    code.loadConstant((long) CHUNK).ladd();
    scalars.store(start);
    scalars.load(rest);
    code.loadConstant((long) CHUNK).lsub();
    scalars.store(rest);
    scalars.load(rest);
    code.lconst_0().lcmp().ifgt(top);
  }

  /** Whether a method can have what a loop uses as arguments. */
  private boolean hasRoom(Node.Loop loop) {
    Names names = Names.of(plan.program(), loop);
    int values = names.variables().size() + given(loop).size();
    return 2 * values + 4 * names.buffers().size() < MOST_SLOTS;
  }

  /** What is computed in front of a loop. */
  private List<PrimExpr> given(Node.Loop loop) {
    return isSplit(loop) ? List.of() : List.copyOf(Hoisting.of(plan.program(), loop));
  }

  private List<ClassPlan.Method.Lanes> methods(Node.Loop loop) {
    return plan.lanes(loop, plan.reach(loop).layout().apart(), given(loop));
  }

  private void call(ClassPlan.Method.Lanes lanesMethod) {
    Label end = code.newLabel();
    emitGuard(lanesMethod, end);
    for (Var var : lanesMethod.variables()) {
      scalars.load(scalars.local(var));
    }
    for (PrimExpr expr : lanesMethod.given()) {
      scalars.load(scalars.known(expr));
    }
    for (Buffer buffer : lanesMethod.buffers()) {
      ScalarEmitter.Memory memory = scalars.memory(buffer);
      if (memory.pinned()) {
        code.lload(memory.where());
      } else {
        code.aload(memory.where());
      }
      code.lload(memory.place());
    }
    code.invokestatic(plan.self(), lanesMethod.name(), lanesMethod.type());
    code.labelBinding(end);
  }

  /** Jumps over a method that has nothing to do. */
  private void emitGuard(ClassPlan.Method.Lanes lanesMethod, Label end) {
    if (lanesMethod.turns() == ClassPlan.Turns.ALL) {
      return;
    }
    Node.Loop loop = lanesMethod.loop();
    long unit = plan.lanesOrThrow().lanes(lanes(loop).orElseThrow().width());
    scalars.emit(loop.extent());
    if (lanesMethod.turns() == ClassPlan.Turns.WHOLE) {
      code.loadConstant(unit).lcmp().iflt(end);
    } else {
      code.loadConstant(unit - 1).land().lconst_0().lcmp().ifeq(end);
    }
  }

  /** A loop in this method. */
  void emitHere(Node.Loop loop) {
    Label end = code.newLabel();
    emitIsEmpty(loop, end);
    emitTurns(loop, ClassPlan.Turns.ALL);
    code.labelBinding(end);
  }

  /** The iterations of a loop, of which there is one at least. */
  void emitTurns(Node.Loop loop, ClassPlan.Turns turns) {
    List<PrimExpr> hoisted = hoist(loop);
    Optional<LaneCheck.Plan> lanes = lanes(loop);
    if (lanes.isPresent()) {
      VectorLoop vectors =
          new VectorLoop(plan, scalars, this, loop, turns, lanes.get(), plan.lanesOrThrow());
      vectors.emit();
    } else {
      emitScalar(loop);
    }
    hoisted.forEach(scalars::forget);
  }

  private Optional<LaneCheck.Plan> lanes(Node.Loop loop) {
    LaneTable table = plan.lanes();
    boolean wanted = loop.mode() == Node.Mode.VECTOR || loop.mode() == Node.Mode.REDUCTION;
    if (table == null || !wanted || CodeSize.of(loop) > 2 * CodeSize.LIMIT) {
      return Optional.empty();
    }
    return LaneCheck.plan(table, loop, plan.program().checks());
  }

  /** Computes in front of a loop what all iterations share; the loop runs at least once. */
  private List<PrimExpr> hoist(Node.Loop loop) {
    List<PrimExpr> known = new ArrayList<>();
    for (PrimExpr expr : given(loop)) {
      if (!scalars.knows(expr)) {
        scalars.emit(expr);
        Local local = scalars.newLocal(JvmKind.of(expr.dtype()));
        scalars.store(local);
        scalars.know(expr, local);
        known.add(expr);
      }
    }
    return known;
  }

  private void emitScalar(Node.Loop loop) {
    List<BufferLoad> elements =
        isSplit(loop)
            ? List.of()
            : Promotion.of(plan.program(), loop, 1).stream()
                .filter(element -> !scalars.knows(element))
                .toList();
    for (BufferLoad element : elements) {
      scalars.emit(element);
      Local local = scalars.newLocal(JvmKind.of(element.dtype()));
      scalars.store(local);
      scalars.know(element, local);
    }
    if (hasLoops(loop.body()) || isSplit(loop)) {
      emitLong(loop, method::emit);
    } else {
      emitInts(loop, method::emit);
    }
    for (BufferLoad element : elements) {
      Local local = scalars.known(element);
      scalars.forget(element);
      scalars.emitPlace(element.buffer(), element.indices().getFirst());
      scalars.load(local);
      scalars.emitStore(element.dtype());
    }
  }

  /**
   * Whether the body may become several methods, which do not see the JVM variables of this one.
   */
  private static boolean isSplit(Node.Loop loop) {
    return CodeSize.of(loop) > CodeSize.LIMIT;
  }

  /** A statement as scalar code. */
  void emitBody(Node node) {
    method.emit(node);
  }

  static boolean hasLoops(Node node) {
    return node instanceof Node.Loop || node.children().stream().anyMatch(LoopEmitter::hasLoops);
  }

  /** A loop that counts in longs. */
  void emitLong(Node.Loop loop, Consumer<Node> body) {
    scalars.emit(loop.min());
    Local counter = scalars.define(loop.counter());
    scalars.emit(loop.min());
    scalars.emit(loop.extent());
    code.ladd();
    Local end = scalars.newLocal(JvmKind.LONG);
    scalars.store(end);
    Label top = code.newBoundLabel();
    Label done = code.newLabel();
    scalars.load(counter);
    scalars.load(end);
    code.lcmp().ifge(done);
    body.accept(loop.body());
    scalars.load(counter);
    code.lconst_1().ladd();
    scalars.store(counter);
    code.goto_(top);
    code.labelBinding(done);
  }

  /** A loop that counts in ints. */
  void emitInts(Node.Loop loop, Consumer<Node> body) {
    chunks(
        loop,
        (start, turns) -> {
          Local counter = scalars.newLocal(JvmKind.LONG);
          scalars.load(start);
          scalars.store(counter);
          scalars.bind(loop.counter(), counter);
          int index = code.allocateLocal(TypeKind.INT);
          Streams streams = new Streams(scalars, loop.counter(), index);
          streams.prepare(plan.program(), loop, false);
          code.iconst_0().istore(index);
          steps(index, turns, 1, start, counter, streams, () -> body.accept(loop.body()));
        });
  }

  /** Turns from where the index is to an end, so many at a time. */
  void steps(
      int index, int end, int step, Local start, Local counter, Streams streams, Runnable body) {
    steps(index, end, () -> code.iinc(index, step), start, counter, streams, body);
  }

  /** Turns from where the index is to an end. */
  void steps(
      int index,
      int end,
      Runnable next,
      Local start,
      Local counter,
      Streams streams,
      Runnable body) {
    Label top = code.newBoundLabel();
    Label done = code.newLabel();
    code.iload(index).iload(end).if_icmpge(done);
    scalars.load(start);
    code.iload(index).i2l().ladd();
    scalars.store(counter);
    ScalarEmitter.@Nullable Streams outer = scalars.streams(streams);
    body.run();
    scalars.streams(outer);
    next.run();
    code.goto_(top);
    code.labelBinding(done);
  }

  /** Gets the first value of the counter, and the JVM variable with the number of iterations. */
  interface Chunk {
    void emit(Local start, int turns);
  }

  /** Cuts a loop into pieces whose iterations an int can count. */
  void chunks(Node.Loop loop, Chunk chunk) {
    int turns = code.allocateLocal(TypeKind.INT);
    Local start = scalars.newLocal(JvmKind.LONG);
    scalars.emit(loop.min());
    scalars.store(start);
    if (mostTurns(loop.extent()) <= CHUNK) {
      scalars.emit(loop.extent());
      code.l2i().istore(turns);
      chunk.emit(start, turns);
      return;
    }
    Local left = scalars.newLocal(JvmKind.LONG);
    scalars.emit(loop.extent());
    scalars.store(left);
    Label top = code.newBoundLabel();
    scalars.load(left);
    code.loadConstant((long) CHUNK);
    code.invokestatic(
        Calls.MATH,
        "min",
        Calls.type(ConstantDescs.CD_long, ConstantDescs.CD_long, ConstantDescs.CD_long));
    code.l2i().istore(turns);
    chunk.emit(start, turns);
    scalars.load(start);
    code.iload(turns).i2l().ladd();
    scalars.store(start);
    scalars.load(left);
    code.iload(turns).i2l().lsub();
    scalars.store(left);
    scalars.load(left);
    code.lconst_0().lcmp().ifgt(top);
  }

  /** How many iterations there are at most, as far as the extent says it itself. */
  private static long mostTurns(PrimExpr extent) {
    return switch (extent) {
      case IntImm known -> known.value();
      case Binary min when min.op() == BinaryOp.MIN ->
          Math.min(mostTurns(min.a()), mostTurns(min.b()));
      default -> Long.MAX_VALUE;
    };
  }
}
