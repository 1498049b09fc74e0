package org.relaxvm.backendcpu.codegen.emit;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ConstantDescs;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.codegen.cost.CodeSize;
import org.relaxvm.backendcpu.codegen.cost.Layout;
import org.relaxvm.backendcpu.codegen.emit.LaneTable.Width;
import org.relaxvm.backendcpu.codegen.emit.ScalarEmitter.Local;
import org.relaxvm.backendcpu.codegen.loops.Node;
import org.relaxvm.backendcpu.codegen.loops.Promotion;
import org.relaxvm.backendcpu.vector.MemoryKind;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/**
 * Writes a loop whose iterations are lanes of vectors: whole vectors first, then what is left as
 * one vector of which some lanes rest, or as scalar code.
 */
final class VectorLoop {
  /** What a loop adds up: a vector for each of the sums that are under way at once. */
  private record Sum(Node.Store store, Reductions.Update update, int[] vectors) {}

  private final ClassPlan plan;
  private final ScalarEmitter scalars;
  private final CodeBuilder code;
  private final LoopEmitter loops;
  private final Node.Loop loop;
  private final ClassPlan.Turns turnsToRun;
  private final Layout layout;
  private final boolean maskedTail;
  private final Width width;
  private final LaneEmitter lanes;
  private final int count;
  private final Map<Node.Store, Sum> sums = new LinkedHashMap<>();
  private int current;

  VectorLoop(
      ClassPlan plan,
      ScalarEmitter scalars,
      LoopEmitter loops,
      Node.Loop loop,
      ClassPlan.Turns turnsToRun,
      LaneCheck.Plan vectors,
      LaneTable table) {
    this.plan = plan;
    this.scalars = scalars;
    this.code = scalars.code();
    this.loops = loops;
    this.loop = loop;
    this.turnsToRun = turnsToRun;
    this.layout = plan.reach(loop).layout();
    this.maskedTail = vectors.maskedTail();
    this.width = vectors.width();
    this.lanes = new LaneEmitter(scalars, table, width, loop.counter());
    this.count = table.lanes(width);
  }

  void emit() {
    if (loop.mode() == Node.Mode.REDUCTION) {
      findSums(loop.body());
    }
    loops.chunks(loop, this::emitChunk);
  }

  private void findSums(Node node) {
    if (node instanceof Node.Store store && !lanes.varies(store.index())) {
      int[] vectors = new int[CodeSize.ACCUMULATORS];
      for (int i = 0; i < vectors.length; i++) {
        vectors[i] = lanes.newLocal();
      }
      sums.put(store, new Sum(store, Reductions.of(store).orElseThrow(), vectors));
    }
    node.children().forEach(this::findSums);
  }

  private void emitChunk(Local start, int turns) {
    Local counter = scalars.newLocal(JvmKind.LONG);
    scalars.load(start);
    scalars.store(counter);
    scalars.bind(loop.counter(), counter);
    int index = code.allocateLocal(TypeKind.INT);
    Streams streams = new Streams(scalars, loop.counter(), index);
    streams.prepare(plan.program(), loop, true);
    sums.values().forEach(this::begin);
    if (plan.memory() == MemoryKind.PINNED) {
      streams.findAddresses(plan.reach(loop).always(), turns);
    }
    streams.byAddress(true);
    if (turnsToRun == ClassPlan.Turns.REST) {
      emitWhole(turns, count);
      code.istore(index);
    } else {
      code.iconst_0().istore(index);
      emitVectors(index, turns, start, counter, streams);
    }
    if (turnsToRun == ClassPlan.Turns.WHOLE) {
      sums.values().forEach(this::end);
    } else {
      emitRest(index, turns, start, counter, streams);
    }
  }

  private void emitVectors(int index, int turns, Local start, Local counter, Streams streams) {
    emitGroups(index, turns, start, counter, streams);
    int whole = code.allocateLocal(TypeKind.INT);
    emitWhole(turns, count);
    code.istore(whole);
    loops.steps(index, whole, count, start, counter, streams, this::emitTurn);
  }

  /** The largest multiple of a power of two that is not above the number of iterations. */
  private void emitWhole(int turns, int step) {
    code.iload(turns).loadConstant(-step);
    code.iand();
  }

  private void emitRest(int index, int turns, Local start, Local counter, Streams streams) {
    if (maskedTail) {
      streams.byAddress(layout.wide() && width == Width.FULL);
      emitMasked(index, turns, start, counter, streams);
      sums.values().forEach(this::end);
    } else {
      sums.values().forEach(this::end);
      Node rest = serial(loop.body());
      loops.steps(index, turns, 1, start, counter, streams, () -> loops.emitBody(rest));
    }
  }

  /** A statement without parallel loops, for which this method has no frame. */
  private static Node serial(Node node) {
    return switch (node) {
      case Node.Loop inner -> inner.withBody(serial(inner.body())).withMode(Node.Mode.SERIAL);
      case Node.Sequence(List<Node> nodes) ->
          new Node.Sequence(nodes.stream().map(VectorLoop::serial).toList());
      case Node.Define(Var var, PrimExpr value, Node body) ->
          new Node.Define(var, value, serial(body));
      case Node.Branch(PrimExpr condition, Node whenTrue, Optional<Node> whenFalse) ->
          new Node.Branch(condition, serial(whenTrue), whenFalse.map(VectorLoop::serial));
      default -> node;
    };
  }

  /** Turns of several vectors: as many as possible of the largest ones. */
  private void emitGroups(int index, int turns, Local start, Local counter, Streams streams) {
    for (int vectors : new int[] {layout.block(), layout.group()}) {
      if (vectors > 1) {
        emitGroups(vectors, index, turns, start, counter, streams);
      }
    }
  }

  private void emitGroups(
      int vectors, int index, int turns, Local start, Local counter, Streams streams) {
    int size = vectors * count;
    int whole = code.allocateLocal(TypeKind.INT);
    emitWhole(turns, size);
    code.istore(whole);
    Runnable group = () -> emitGroup(vectors, index, start, counter, streams);
    if (layout.hidden()) {
      int step = code.allocateLocal(TypeKind.INT);
      code.loadConstant(size);
      code.invokestatic(
          Calls.HIDDEN_STEP, "of", Calls.type(ConstantDescs.CD_int, ConstantDescs.CD_int));
      code.istore(step);
      Runnable next = () -> code.iload(index).iload(step).iadd().istore(index);
      loops.steps(index, whole, next, start, counter, streams, group);
    } else {
      loops.steps(index, whole, size, start, counter, streams, group);
    }
  }

  /** Several vectors in a row, which several sums take in turn. */
  private void emitGroup(int vectors, int index, Local start, Local counter, Streams streams) {
    if (layout.hidden()) {
      streams.enterBlock();
    }
    for (int i = 0; i < vectors; i++) {
      current = i % CodeSize.ACCUMULATORS;
      long ahead = (long) i * count;
      streams.ahead(ahead);
      scalars.load(start);
      code.iload(index).i2l().ladd().loadConstant(ahead).ladd();
      scalars.store(counter);
      emitBody(loop.body());
    }
    streams.ahead(0);
    streams.leaveBlock();
    current = 0;
  }

  private void emitMasked(int index, int turns, Local start, Local counter, Streams streams) {
    Label done = code.newLabel();
    code.iload(index).iload(turns).if_icmpge(done);
    scalars.load(start);
    code.iload(index).i2l().ladd();
    scalars.store(counter);
    int mask = lanes.newLocal();
    code.iload(turns).iload(index).isub();
    lanes.call(width == Width.HALF ? "firstLanesHalf" : "firstLanes", ConstantDescs.CD_int);
    code.astore(mask);
    int outer = lanes.mask(mask);
    var streamsBefore = scalars.streams(streams);
    emitTurn();
    scalars.streams(streamsBefore);
    lanes.mask(outer);
    code.labelBinding(done);
  }

  private void emitBody(Node node) {
    switch (node) {
      case Node.Store store -> emitStore(store);
      case Node.Sequence(List<Node> nodes) -> nodes.forEach(this::emitBody);
      case Node.Define(Var var, PrimExpr value, Node body) -> {
        if (lanes.varies(value)) {
          int slot = lanes.newLocal();
          emitShared(value);
          code.astore(slot);
          lanes.bind(var, slot);
        } else {
          scalars.emit(value);
          scalars.define(var);
        }
        emitBody(body);
      }
      case Node.Branch branch -> emitBranch(branch);
      case Node.Loop inner -> emitInner(inner);
      default -> throw new IllegalStateException("no vectors of " + node);
    }
  }

  private void emitBranch(Node.Branch branch) {
    if (!lanes.varies(branch.condition())) {
      Label otherwise = code.newLabel();
      Label end = code.newLabel();
      scalars.jumpUnless(branch.condition(), otherwise);
      emitBody(branch.whenTrue());
      code.goto_(end);
      code.labelBinding(otherwise);
      branch.whenFalse().ifPresent(this::emitBody);
      code.labelBinding(end);
      return;
    }
    int holds = lanes.newLocal();
    lanes.emit(branch.condition());
    code.astore(holds);
    int outer = lanes.mask();
    lanes.mask(lanes.both(holds, outer));
    emitBody(branch.whenTrue());
    if (branch.whenFalse().isPresent()) {
      lanes.mask(lanes.neither(holds, outer));
      emitBody(branch.whenFalse().orElseThrow());
    }
    lanes.mask(outer);
  }

  /** A loop that all lanes run together. */
  private void emitInner(Node.Loop inner) {
    Label end = code.newLabel();
    if (!(inner.extent() instanceof IntImm turns && turns.value() > 0)) {
      scalars.emit(inner.extent());
      code.lconst_0().lcmp().ifle(end);
    }
    List<BufferLoad> elements =
        lanes.mask() != LaneEmitter.NO_MASK && hasBranch(loop.body())
            ? List.of()
            : Promotion.of(plan.program(), inner, count).stream()
                .filter(element -> lanes.knownSlot(element) < 0)
                .filter(element -> lanes.isContiguous(element.indices().getFirst()))
                .toList();
    keep(
        elements,
        () -> {
          if (LoopEmitter.hasLoops(inner.body())) {
            loops.emitLong(inner, this::emitBody);
          } else {
            loops.emitInts(inner, this::emitBody);
          }
        });
    code.labelBinding(end);
  }

  /** Holds elements in JVM variables while something runs that writes them. */
  private void keep(List<BufferLoad> elements, Runnable body) {
    for (BufferLoad element : elements) {
      int slot = lanes.newLocal();
      lanes.emit(element);
      code.astore(slot);
      lanes.know(element, slot);
    }
    body.run();
    for (BufferLoad element : elements) {
      int slot = lanes.knownSlot(element);
      lanes.forget(element);
      scalars.emitPlace(element.buffer(), element.indices().getFirst());
      code.aload(slot);
      lanes.emitStore(element.dtype());
    }
  }

  /** An iteration, which writes an element once that it writes several times. */
  private void emitTurn() {
    Node.Loop turn =
        new Node.Loop(
            Var.index("turn"), IntImm.of(0), IntImm.of(1), Node.Mode.SERIAL, 1, loop.body());
    List<BufferLoad> elements =
        sums.isEmpty() && !hasBranch(loop.body())
            ? Promotion.of(plan.program(), turn, count).stream()
                .filter(element -> stores(loop.body(), element) > 1)
                .filter(element -> lanes.isContiguous(element.indices().getFirst()))
                .toList()
            : List.of();
    keep(elements, () -> emitBody(loop.body()));
  }

  private static long stores(Node node, BufferLoad element) {
    long here =
        node instanceof Node.Store store
                && store.buffer().equals(element.buffer())
                && store.index().equals(element.indices().getFirst())
            ? 1
            : 0;
    return here + node.children().stream().mapToLong(child -> stores(child, element)).sum();
  }

  private static boolean hasBranch(Node node) {
    return node instanceof Node.Branch || node.children().stream().anyMatch(VectorLoop::hasBranch);
  }

  private void emitStore(Node.Store store) {
    scalars.emitChecks(store.checks());
    Sum sum = sums.get(store);
    if (sum != null) {
      emitUpdate(sum);
      return;
    }
    BufferLoad element = new BufferLoad(store.buffer(), List.of(store.index()));
    int slot = lanes.knownSlot(element);
    if (slot >= 0) {
      emitShared(store.value());
      code.astore(slot);
      return;
    }
    scalars.emitPlace(store.buffer(), store.index());
    emitShared(store.value());
    lanes.emitStore(store.buffer().dtype());
  }

  /** The vector of an expression, computing once what occurs several times. */
  private void emitShared(PrimExpr expr) {
    List<PrimExpr> made = new ArrayList<>();
    for (PrimExpr part : SharedValues.of(scalars, expr)) {
      if (lanes.varies(part) && lanes.knownSlot(part) < 0) {
        int slot = lanes.newLocal();
        lanes.emit(part);
        code.astore(slot);
        lanes.know(part, slot);
        made.add(part);
      }
    }
    lanes.emit(expr);
    made.forEach(lanes::forget);
  }

  private void begin(Sum sum) {
    DType dtype = sum.store().buffer().dtype();
    for (int vector : sum.vectors()) {
      scalars.emit(sum.update().identity(dtype));
      lanes.broadcast(dtype);
      code.astore(vector);
    }
  }

  private void emitUpdate(Sum sum) {
    DType dtype = sum.store().buffer().dtype();
    int vector = sum.vectors()[current];
    var kind = LaneKind.of(dtype).desc();
    code.aload(vector);
    if (lanes.mask() == LaneEmitter.NO_MASK) {
      emitShared(sum.update().term());
    } else {
      int term = lanes.newLocal();
      emitShared(sum.update().term());
      code.astore(term);
      code.aload(lanes.mask()).aload(term);
      scalars.emit(sum.update().identity(dtype));
      lanes.broadcast(dtype);
      lanes.select(dtype);
    }
    lanes.call(LaneNames.of(sum.update().op(), dtype), kind, kind);
    code.astore(vector);
  }

  /** Puts all sums together and to the element. */
  private void end(Sum sum) {
    DType dtype = sum.store().buffer().dtype();
    var kind = LaneKind.of(dtype).desc();
    String op = LaneNames.of(sum.update().op(), dtype);
    code.aload(sum.vectors()[0]).aload(sum.vectors()[1]);
    lanes.call(op, kind, kind);
    code.aload(sum.vectors()[2]).aload(sum.vectors()[3]);
    lanes.call(op, kind, kind);
    lanes.call(op, kind, kind);
    lanes.call(sum.update().reduceName(dtype), kind);
    if (dtype.equals(DType.UINT32)) {
      code.i2l();
      ScalarCasts.wrapLong(code, dtype);
    }
    Local total = scalars.newLocal(JvmKind.of(dtype));
    scalars.store(total);
    Var name = new Var("total", dtype);
    scalars.bind(name, total);
    BufferLoad element = new BufferLoad(sum.store().buffer(), List.of(sum.store().index()));
    PrimExpr value = org.relaxvm.tir.expr.Exprs.binary(sum.update().op(), element, name);
    loops.emitBody(new Node.Store(sum.store().buffer(), sum.store().index(), value, List.of()));
  }
}
