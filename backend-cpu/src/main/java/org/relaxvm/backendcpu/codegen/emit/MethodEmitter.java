package org.relaxvm.backendcpu.codegen.emit;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.codegen.cost.CodeSize;
import org.relaxvm.backendcpu.codegen.cost.Splitting;
import org.relaxvm.backendcpu.codegen.emit.ScalarEmitter.Local;
import org.relaxvm.backendcpu.codegen.emit.ScalarEmitter.Memory;
import org.relaxvm.backendcpu.codegen.loops.Names;
import org.relaxvm.backendcpu.codegen.loops.Node;
import org.relaxvm.backendcpu.vector.MemoryKind;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/** Writes one method: statements as scalar code, loops through {@link LoopEmitter}. */
final class MethodEmitter {
  private static final ClassDesc LONG = ConstantDescs.CD_long;

  private final ClassPlan plan;
  private final CodeBuilder code;
  private final ScalarEmitter scalars;
  private final LoopEmitter loops;
  private final int frame;

  MethodEmitter(ClassPlan plan, CodeBuilder code) {
    this.plan = plan;
    this.code = code;
    // Methods of loops have no frame, and do not ask for it.
    this.frame = code.parameterSlot(0);
    this.scalars = new ScalarEmitter(code, plan.program().checks());
    this.loops = new LoopEmitter(plan, scalars, this);
  }

  /** The whole kernel, or a part of it that needs nothing but the frame. */
  void emitMethod(Node node) {
    prologue(own(node), List.of());
    emit(node);
    code.return_();
  }

  /** A statement without what other methods do for it. */
  private static Node own(Node node) {
    return switch (node) {
      case Node.Allocate(Buffer buffer, List<PrimExpr> shape, PrimExpr size, Node body) ->
          new Node.Allocate(buffer, shape, size, own(body));
      case Node.Sequence(List<Node> nodes) when isSplit(nodes) -> Node.nothing();
      default -> node;
    };
  }

  private static boolean isSplit(List<Node> nodes) {
    long size = nodes.stream().mapToLong(CodeSize::of).sum();
    return size > CodeSize.LIMIT && nodes.size() > 1 && CodeSize.canSplit(nodes);
  }

  /** Iterations of a loop, from one method argument to another. */
  void emitPart(Node.Loop loop) {
    prologue(loop, List.of(loop.counter()));
    Var from = Var.index("from");
    Var turns = Var.index("turns");
    scalars.bind(from, new Local(JvmKind.LONG, code.parameterSlot(1)));
    code.lload(code.parameterSlot(2)).lload(code.parameterSlot(1)).lsub();
    scalars.define(turns);
    emit(new Node.Loop(loop.counter(), from, turns, loop.mode(), loop.grain(), loop.body()));
    code.return_();
  }

  /** A part of an expression. */
  void emitValue(ClassPlan.Method.Value method) {
    prologue(method.node(), List.of());
    Splitting.of(method.expr()).forEach(this::callFor);
    scalars.emit(method.expr());
    code.return_(JvmKind.of(method.expr().dtype()).type());
  }

  /** A loop in vectors that gets what it uses as arguments. */
  void emitLanes(ClassPlan.Method.Lanes method) {
    Set<Buffer> others = plan.reach(method.loop()).others();
    int argument = 0;
    for (Var var : method.variables()) {
      scalars.bind(var, new Local(JvmKind.of(var.dtype()), code.parameterSlot(argument++)));
    }
    for (PrimExpr expr : method.given()) {
      Local value = new Local(JvmKind.of(expr.dtype()), code.parameterSlot(argument++));
      scalars.know(expr, value);
    }
    for (Buffer buffer : method.buffers()) {
      int where = code.parameterSlot(argument++);
      int place = code.parameterSlot(argument++);
      if (plan.memory() == MemoryKind.PINNED && !others.contains(buffer)) {
        scalars.bind(buffer, new Memory(true, where, place, -1));
      } else {
        bind(buffer, where, place);
      }
    }
    stayApart();
    loops.emitTurns(method.loop(), method.turns());
    code.return_();
  }

  /**
   * Says where the memory of a buffer is: a segment and the place of the first element, or the
   * address of that and the number of bytes.
   */
  private void bind(Buffer buffer, int where, int place) {
    switch (plan.memory()) {
      case PINNED -> scalars.bindPinned(buffer, where, place);
      case NATIVE -> {
        requireNative(where);
        scalars.bind(buffer, new Memory(false, where, place, where));
      }
      case ANY -> scalars.bind(buffer, new Memory(false, where, place, where));
    }
  }

  /**
   * Makes this method too long to be compiled as a part of its callers, by instructions that do
   * nothing: how much else they hold would decide whether C2 gives up on the vectors.
   */
  private void stayApart() {
    for (int i = 0; i < CodeSize.MOST_INLINED; i++) {
      code.nop();
    }
  }

  /** Tells the JIT compiler the class of a segment. */
  private void requireNative(int segment) {
    code.aload(segment).aload(segment);
    code.invokestatic(
        Calls.NATIVE, "require", Calls.type(ConstantDescs.CD_void, Calls.SEGMENT, Calls.SEGMENT));
  }

  /** Loads what the statement uses into JVM variables. */
  private void prologue(Node node, List<Var> without) {
    Names names = Names.of(plan.program(), node);
    for (Var var : names.variables()) {
      if (!without.contains(var)) {
        code.aload(frame).loadConstant(plan.number(var));
        code.invokevirtual(
            Calls.FRAME, "value", Calls.type(ConstantDescs.CD_long, ConstantDescs.CD_int));
        fromBits(JvmKind.of(var.dtype()));
        scalars.define(var);
      }
    }
    for (Buffer buffer : names.buffers()) {
      loadMemory(buffer);
    }
  }

  private void fromBits(JvmKind kind) {
    switch (kind) {
      case LONG -> {}
      case INT -> code.l2i();
      case FLOAT -> {
        code.l2i();
        code.invokestatic(
            ClassDesc.of("java.lang.Float"),
            "intBitsToFloat",
            Calls.type(ConstantDescs.CD_float, ConstantDescs.CD_int));
      }
      case DOUBLE ->
          code.invokestatic(
              ClassDesc.of("java.lang.Double"),
              "longBitsToDouble",
              Calls.type(ConstantDescs.CD_double, ConstantDescs.CD_long));
    }
  }

  private void toBits(JvmKind kind) {
    switch (kind) {
      case LONG -> {}
      case INT -> code.i2l();
      case FLOAT -> {
        code.invokestatic(
            ClassDesc.of("java.lang.Float"),
            "floatToRawIntBits",
            Calls.type(ConstantDescs.CD_int, ConstantDescs.CD_float));
        code.i2l();
      }
      case DOUBLE ->
          code.invokestatic(
              ClassDesc.of("java.lang.Double"),
              "doubleToRawLongBits",
              Calls.type(ConstantDescs.CD_long, ConstantDescs.CD_double));
    }
  }

  private void loadMemory(Buffer buffer) {
    int number = plan.number(buffer);
    boolean pinned = plan.memory() == MemoryKind.PINNED;
    int where = ask(number, pinned ? "address" : "memory", pinned ? LONG : Calls.SEGMENT);
    int place = ask(number, pinned ? "bytes" : "place", LONG);
    bind(buffer, where, place);
  }

  /** Asks the frame for something of a buffer; returns the JVM variable with the answer. */
  private int ask(int buffer, String what, ClassDesc type) {
    code.aload(frame).loadConstant(buffer);
    code.invokevirtual(Calls.FRAME, what, Calls.type(type, ConstantDescs.CD_int));
    TypeKind kind = TypeKind.from(type);
    int local = code.allocateLocal(kind);
    code.storeLocal(kind, local);
    return local;
  }

  void emit(Node node) {
    switch (node) {
      case Node.Store store -> emitStore(store);
      case Node.Define(Var var, PrimExpr value, Node body) -> {
        emitLarge(value);
        scalars.define(var);
        emit(body);
      }
      case Node.Branch branch -> emitBranch(branch);
      case Node.Sequence(List<Node> nodes) -> emitAll(nodes);
      case Node.Allocate allocate -> emitAllocate(allocate);
      case Node.Invoke invoke -> PackedCallEmitter.emit(plan, scalars, frame, invoke);
      case Node.Transpose transpose -> BlockEmitter.emit(scalars, transpose);
      case Node.Apply apply -> BlockEmitter.emit(scalars, apply);
      case Node.Result(PrimExpr value) -> emitResult(value);
      case Node.Loop loop -> {
        if (loop.mode() == Node.Mode.PARALLEL) {
          emitParallel(loop);
        } else {
          loops.emit(loop);
        }
      }
    }
  }

  private void emitStore(Node.Store store) {
    scalars.emitChecks(store.checks());
    BufferLoad element = new BufferLoad(store.buffer(), List.of(store.index()));
    if (scalars.knows(element)) {
      Local local = scalars.known(element);
      SharedValues.emit(scalars, store.value());
      scalars.store(local);
      return;
    }
    scalars.emitPlace(store.buffer(), store.index());
    emitLarge(store.value());
    scalars.emitStore(store.buffer().dtype());
  }

  /** An expression, in methods of its own where it is too long for one. */
  private void emitLarge(PrimExpr expr) {
    List<PrimExpr> parts = Splitting.of(expr);
    if (parts.isEmpty()) {
      SharedValues.emit(scalars, expr);
      return;
    }
    publish(Names.of(plan.program(), new Node.Result(expr)));
    parts.forEach(this::callFor);
    scalars.emit(expr);
  }

  private void callFor(PrimExpr part) {
    ClassPlan.Method.Value value = plan.value(part);
    scalars.callFor(
        part,
        () -> {
          code.aload(code.receiverSlot()).aload(frame);
          code.invokevirtual(plan.self(), value.name(), value.type());
        });
  }

  private void emitBranch(Node.Branch branch) {
    Label otherwise = code.newLabel();
    scalars.jumpUnless(branch.condition(), otherwise);
    emit(branch.whenTrue());
    if (branch.whenFalse().isEmpty()) {
      code.labelBinding(otherwise);
      return;
    }
    Label end = code.newLabel();
    code.goto_(end);
    code.labelBinding(otherwise);
    emit(branch.whenFalse().orElseThrow());
    code.labelBinding(end);
  }

  /** Long sequences become methods of their own, which the JIT compiler does not refuse. */
  private void emitAll(List<Node> nodes) {
    if (!isSplit(nodes)) {
      nodes.forEach(this::emit);
      return;
    }
    List<Node> group = new ArrayList<>();
    long groupSize = 0;
    for (Node node : nodes) {
      long next = CodeSize.of(node);
      if (groupSize + next > CodeSize.LIMIT && !group.isEmpty()) {
        emitStage(Node.sequence(List.copyOf(group)));
        group.clear();
        groupSize = 0;
      }
      group.add(node);
      groupSize += next;
    }
    emitStage(Node.sequence(group));
  }

  private void emitStage(Node node) {
    publish(Names.of(plan.program(), node));
    ClassPlan.Method.Stage stage = plan.stage(node);
    code.aload(code.receiverSlot()).aload(frame);
    code.invokevirtual(plan.self(), stage.name(), Calls.RUN);
  }

  /** Puts variables of this method into the frame, where other methods find them. */
  private void publish(Names names) {
    for (Var var : names.variables()) {
      // What this method has no JVM variable for is in the frame.
      if (!plan.program().variables().contains(var) && scalars.has(var)) {
        code.aload(frame).loadConstant(plan.number(var));
        Local local = scalars.local(var);
        scalars.load(local);
        toBits(local.kind());
        code.invokevirtual(
            Calls.FRAME,
            "setValue",
            Calls.type(ConstantDescs.CD_void, ConstantDescs.CD_int, ConstantDescs.CD_long));
      }
    }
  }

  private void emitParallel(Node.Loop loop) {
    if (loop.extent() instanceof IntImm turns && turns.value() <= loop.grain()) {
      loops.emit(loop.withMode(Node.Mode.SERIAL));
      return;
    }
    publish(Names.of(plan.program(), loop.body() instanceof Node body ? wrap(loop, body) : loop));
    ClassPlan.Method.Part part = plan.part(loop);
    code.aload(frame).loadConstant(part.number());
    scalars.emit(loop.min());
    scalars.emit(loop.extent());
    code.loadConstant(loop.grain());
    emitWork(loop.body());
    code.ldiv();
    code.invokevirtual(
        Calls.FRAME,
        "parallel",
        Calls.type(
            ConstantDescs.CD_void,
            ConstantDescs.CD_int,
            ConstantDescs.CD_long,
            ConstantDescs.CD_long,
            ConstantDescs.CD_long));
  }

  /**
   * How often an iteration runs what is innermost, by the extents that are known only now; at least
   * 1.
   */
  private void emitWork(Node node) {
    PrimExpr work = work(node);
    scalars.emit(Exprs.max(IntImm.of(1), work));
  }

  private PrimExpr work(Node node) {
    PrimExpr inside = IntImm.of(1);
    for (Node child : node.children()) {
      PrimExpr other = work(child);
      boolean known = other instanceof IntImm one && one.value() == 1;
      inside = known ? inside : inside instanceof IntImm ? other : Exprs.max(inside, other);
    }
    return node instanceof Node.Loop loop
            && !(loop.extent() instanceof IntImm)
            && Names.variablesOf(loop.extent()).keySet().stream()
                .allMatch(plan.program().variables()::contains)
        ? Exprs.mul(inside, Exprs.max(IntImm.of(1), loop.extent()))
        : inside;
  }

  /** The loop without its bounds, which this method computes. */
  private static Node wrap(Node.Loop loop, Node body) {
    return new Node.Loop(
        loop.counter(), IntImm.of(0), IntImm.of(1), loop.mode(), loop.grain(), body);
  }

  private void emitAllocate(Node.Allocate allocate) {
    code.aload(frame).loadConstant(plan.number(allocate.buffer()));
    scalars.emit(allocate.size());
    code.loadConstant(allocate.buffer().dtype().elementByteSize());
    code.invokevirtual(
        Calls.FRAME,
        "allocate",
        Calls.type(
            ConstantDescs.CD_void,
            ConstantDescs.CD_int,
            ConstantDescs.CD_long,
            ConstantDescs.CD_int));
    if (Names.of(plan.program(), own(allocate.body())).buffers().contains(allocate.buffer())) {
      loadMemory(allocate.buffer());
    }
    plan.shape(allocate.buffer(), allocate.shape());
    emit(allocate.body());
  }

  private void emitResult(PrimExpr value) {
    code.aload(frame);
    scalars.emit(value);
    DType dtype = value.dtype();
    if (dtype.equals(DType.BOOL)) {
      box("Boolean", ConstantDescs.CD_boolean);
    } else if (dtype.isFloat()) {
      ScalarCasts.toDouble(code, dtype);
      box("Double", ConstantDescs.CD_double);
    } else {
      ScalarCasts.toLong(code, dtype);
      box("Long", ConstantDescs.CD_long);
    }
    code.invokevirtual(
        Calls.FRAME, "setResult", Calls.type(ConstantDescs.CD_void, ConstantDescs.CD_Object));
    code.return_();
  }

  private void box(String type, ClassDesc primitive) {
    ClassDesc boxed = ClassDesc.of("java.lang." + type);
    code.invokestatic(boxed, "valueOf", Calls.type(boxed, primitive));
  }
}
