package org.relaxvm.backendcpu.jit.build;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.codegen.loops.LoopProgram;
import org.relaxvm.backendcpu.codegen.loops.Node;
import org.relaxvm.backendcpu.codegen.loops.Promotion;
import org.relaxvm.backendcpu.jit.lir.Lir;
import org.relaxvm.backendcpu.jit.lir.LirWriter;
import org.relaxvm.backendcpu.jit.lir.Op;
import org.relaxvm.backendcpu.jit.lir.Operand;
import org.relaxvm.backendcpu.jit.lir.Operand.Address;
import org.relaxvm.backendcpu.jit.lir.Operand.Imm;
import org.relaxvm.backendcpu.jit.lir.Operand.Reg;
import org.relaxvm.backendcpu.jit.lir.Relation;
import org.relaxvm.backendcpu.jit.lir.Target;
import org.relaxvm.backendcpu.jit.lir.Type;
import org.relaxvm.backendcpu.jit.lir.UnsupportedCodeException;
import org.relaxvm.backendcpu.jit.run.BlockLayout;
import org.relaxvm.backendcpu.jit.run.Fragment;
import org.relaxvm.backendcpu.jit.run.FragmentCompiler;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/**
 * Writes the low-level IR of a part of a kernel: loops with addresses that move, values computed
 * outside of the loops that they do not depend on, elements kept in registers, iterations as lanes.
 * For one fragment; not thread-safe.
 *
 * <p>Rationale: docs/rationale/backend-cpu.md, "How do loops become the low-level IR?"
 */
public final class FragmentWriter {
  private static final int ALIGNMENT = 64;

  private final Emission emission;
  private final Words words;
  private final LirWriter writer;
  private @Nullable Lanes lanes;
  private int copies = 1;
  private @Nullable ReductionLoop reduction;
  private int maskedBranches;
  private long scratchBytes;

  private FragmentWriter(String name, Target target, BlockLayout layout, LoopProgram program) {
    this.writer = new LirWriter(name);
    this.emission = new Emission(writer, target, program, layout);
    this.words = new Words(emission);
  }

  /** A compiler of fragments for a processor. */
  public static FragmentCompiler of(Target target) {
    return (name, body, parallelLoop, layout, program) ->
        new FragmentWriter(name, target, layout, program).write(body, parallelLoop);
  }

  private Fragment write(Node body, Node.@Nullable Loop parallelLoop) {
    Set<Buffer> written = Dependences.written(body);
    emission.open(Scope.Kind.FRAGMENT, written);
    if (parallelLoop == null) {
      emit(body);
    } else {
      loop(
          parallelLoop.counter(),
          writer.from(),
          writer.to(),
          1,
          true,
          written,
          () -> emit(body),
          List.of());
    }
    writer.addAll(emission.close());
    return new Fragment(writer.finish(), scratchBytes, emission.failures);
  }

  private void emit(Node node) {
    switch (node) {
      case Node.Sequence sequence -> emitSequence(sequence);
      case Node.Loop loop -> emitLoop(loop);
      case Node.Store store -> emitStore(store);
      case Node.Define(Var var, PrimExpr value, Node body) -> emitDefine(var, value, body);
      case Node.Branch branch -> emitBranch(branch);
      case Node.Allocate allocate -> emitAllocate(allocate);
      case Node.Transpose transpose -> emitTranspose(transpose);
      case Node.Apply apply -> throw unsupported("call of a block function");
      case Node.Invoke invoke -> throw unsupported("call of " + invoke.name() + " in a loop");
      case Node.Result result -> throw unsupported("result in a loop");
    }
  }

  private static UnsupportedCodeException unsupported(String what) {
    return new UnsupportedCodeException(what);
  }

  // ---- sequences

  /** Statements of which an element that several write stays in a register. */
  private void emitSequence(Node.Sequence sequence) {
    int width = lanes == null ? 1 : lanes.count() * copies;
    List<BufferLoad> elements =
        reduction == null ? inMemory(Rewrites.of(emission.program, sequence, width)) : List.of();
    for (BufferLoad element : elements) {
      if (Rewrites.readFirst(sequence, element)) {
        hold(List.of(element));
      } else {
        holdUndefined(element);
      }
    }
    sequence.nodes().forEach(this::emit);
    release(elements);
  }

  // ---- loops

  private void emitLoop(Node.Loop loop) {
    if (lanes == null && (loop.mode() == Node.Mode.VECTOR || loop.mode() == Node.Mode.REDUCTION)) {
      Optional<VectorCheck.Plan> plan = VectorCheck.of(emission, loop);
      if (plan.isPresent()) {
        if (loop.mode() == Node.Mode.VECTOR) {
          emitVectorLoop(loop, plan.get());
        } else {
          emitReduction(loop, plan.get());
        }
        return;
      }
    }
    emitSerial(loop);
  }

  private void emitSerial(Node.Loop loop) {
    Operand min = words.of(loop.min());
    Operand limit = words.of(Exprs.add(loop.min(), loop.extent()));
    boolean isEntered = loop.extent() instanceof IntImm extent && extent.value() > 0;
    int width = lanes == null ? 1 : lanes.count() * copies;
    List<BufferLoad> elements = inMemory(Promotion.of(emission.program, loop, width));
    loop(
        loop.counter(),
        min,
        limit,
        1,
        isEntered,
        Dependences.written(loop.body()),
        () -> emit(loop.body()),
        elements);
  }

  /** The elements that are not in registers already, because of a loop around this one. */
  private List<BufferLoad> inMemory(List<BufferLoad> elements) {
    return elements.stream()
        .filter(element -> emission.held(element.buffer(), element.indices().getFirst(), 0) == null)
        .toList();
  }

  /**
   * Writes a loop.
   *
   * @param elements that stay in registers while it runs
   * @return the register of the counter, which has the limit or more after the loop
   */
  private Reg loop(
      Var counter,
      Operand min,
      Operand limit,
      long step,
      boolean isEntered,
      Set<Buffer> written,
      Runnable body,
      List<BufferLoad> elements) {
    Reg register = writer.reg(Type.WORD);
    writer.set(register, Op.MOVE, min);
    continued(counter, register, min, limit, step, isEntered, written, body, elements);
    return register;
  }

  /** Writes a loop from what the counter is. */
  private void continued(
      Var counter,
      Reg register,
      Operand start,
      Operand limit,
      long step,
      boolean isEntered,
      Set<Buffer> written,
      Runnable body,
      List<BufferLoad> elements) {
    Scope preheader = emission.open(Scope.Kind.PREHEADER, written);
    preheader.isEntered = isEntered;
    preheader.counter = counter;
    Var first = new Var(counter.name() + "_start", DType.INT64);
    preheader.start = first;
    preheader.variables.put(first, start);
    hold(elements);
    Scope inside = emission.open(Scope.Kind.BODY, written);
    inside.counter = counter;
    inside.step = step;
    inside.variables.put(counter, register);
    body.run();
    for (Scope.Pointer pointer : inside.pointers) {
      writer.set(pointer.register(), Op.ADD, pointer.register(), pointer.step());
    }
    List<Lir> statements = emission.close();
    writer.add(new Lir.Loop(register, limit, step, true, statements));
    release(elements);
    List<Lir> all = emission.close();
    if (isEntered) {
      writer.addAll(all);
    } else {
      writer.add(new Lir.If(Relation.LT, register, limit, all, List.of()));
    }
    written.forEach(this::forget);
  }

  /** Reads elements into registers. */
  private void hold(List<BufferLoad> elements) {
    for (BufferLoad element : elements) {
      if (lanes == null || !emission.varies(element.indices().getFirst())) {
        Operand value = words.of(element);
        Reg register = writer.reg(value.type());
        writer.set(register, Op.MOVE, value);
        emission.hold(element, 0, register);
      } else {
        for (int copy = 0; copy < copies; copy++) {
          emission.hold(element, copy, lanes.element(element, copy));
        }
      }
    }
  }

  /** Gives an element registers, which the next statement that accesses it defines. */
  private void holdUndefined(BufferLoad element) {
    DType dtype = element.buffer().dtype();
    if (lanes == null || !emission.varies(element.indices().getFirst())) {
      emission.hold(element, 0, writer.reg(Words.type(dtype)));
      return;
    }
    for (int copy = 0; copy < copies; copy++) {
      emission.hold(element, copy, writer.reg(lanes.type(dtype, 32)));
    }
  }

  /** Writes elements that were in registers. */
  private void release(List<BufferLoad> elements) {
    for (BufferLoad element : elements) {
      PrimExpr index = element.indices().getFirst();
      Lanes vectors = emission.varies(index) ? lanes : null;
      for (int copy = 0; copy < (vectors == null ? 1 : copies); copy++) {
        Reg register = Objects.requireNonNull(emission.held(element.buffer(), index, copy));
        emission.release(element, copy);
        if (vectors == null) {
          Casts.storeScalar(
              writer,
              emission.target,
              emission.address(words, element.buffer(), index),
              register,
              element.buffer().dtype());
        } else {
          vectors.store(element.buffer(), index, register, copy);
        }
      }
      forget(element.buffer());
    }
  }

  private void forget(Buffer buffer) {
    emission.scopes.forEach(scope -> scope.forget(buffer));
  }

  // ---- vector loops

  private void emitVectorLoop(Node.Loop loop, VectorCheck.Plan plan) {
    Set<Buffer> written = Dependences.written(loop.body());
    Operand min = words.of(loop.min());
    Operand limit = words.of(Exprs.add(loop.min(), loop.extent()));
    long extent = loop.extent() instanceof IntImm constant ? constant.value() : -1;
    int unrolled = Unrolling.copies(loop.body(), plan.lanes(), extent, emission.target);
    Reg register = writer.reg(Type.WORD);
    writer.set(register, Op.MOVE, min);
    Operand start = min;
    long done = 0;
    List<Integer> parts =
        unrolled == 1 ? List.of(1) : plan.isMaskable() ? List.of(unrolled) : List.of(unrolled, 1);
    for (int part : parts) {
      long width = (long) part * plan.lanes();
      long vectors = extent < 0 ? 0 : (extent - done) / width * width;
      if (extent < 0 || vectors > 0) {
        done += vectors;
        Operand end =
            extent < 0
                ? writer.addWords(limit, new Imm(1 - width))
                : writer.addWords(min, new Imm(done));
        vectors(loop, plan, register, start, end, extent >= 0, written, part, false);
        start = copy(register);
      }
    }
    if (extent >= 0 && done == extent) {
      return;
    }
    if (plan.isMaskable()) {
      vectors(loop, plan, register, start, limit, extent >= 0, written, 1, true);
    } else {
      continued(
          loop.counter(),
          register,
          start,
          limit,
          1,
          extent >= 0,
          written,
          () -> emit(loop.body()),
          List.of());
    }
  }

  private Reg copy(Reg register) {
    return writer.op(Op.MOVE, register);
  }

  /** A loop over vectors. */
  private void vectors(
      Node.Loop loop,
      VectorCheck.Plan plan,
      Reg register,
      Operand start,
      Operand end,
      boolean isEntered,
      Set<Buffer> written,
      int unrolled,
      boolean isMasked) {
    lanes = new Lanes(emission, words, loop.counter(), register, plan);
    copies = unrolled;
    emission.varying.add(loop.counter());
    long step = (long) unrolled * plan.lanes();
    continued(
        loop.counter(),
        register,
        start,
        end,
        step,
        isEntered,
        written,
        () -> {
          if (isMasked) {
            emission.scope().masks = new Reg[] {remaining(register, end, plan)};
          }
          emit(loop.body());
        },
        List.of());
    emission.varying.remove(loop.counter());
    lanes = null;
    copies = 1;
  }

  /** The mask of the lanes that are in front of the end. */
  private Reg remaining(Reg register, Operand end, VectorCheck.Plan plan) {
    Reg left = writer.op(Op.SUB, writer.inRegister(end), register);
    Reg count = writer.op(Op.MIN, left, new Imm(plan.lanes()));
    return writer.compute(Op.FIRST_LANES, Type.mask(plan.maskBits(), plan.lanes()), count);
  }

  // ---- reductions

  private void emitReduction(Node.Loop loop, VectorCheck.Plan plan) {
    Operand min = words.of(loop.min());
    Operand limit = words.of(Exprs.add(loop.min(), loop.extent()));
    long extent = loop.extent() instanceof IntImm constant ? constant.value() : -1;
    if (extent >= 0) {
      emitReduction(loop, plan, min, limit, extent);
      return;
    }
    emission.open(Scope.Kind.CONDITION, Dependences.written(loop));
    emitReduction(loop, plan, min, limit, extent);
    List<Lir> statements = emission.close();
    writer.add(new Lir.If(Relation.LT, writer.inRegister(min), limit, statements, List.of()));
    forgetAll(loop);
  }

  private void emitReduction(
      Node.Loop loop, VectorCheck.Plan plan, Operand min, Operand limit, long extent) {
    Set<Buffer> written = Dependences.written(loop.body());
    ReductionLoop sums = ReductionLoop.of(emission, loop, plan.lanes(), extent);
    sums.begin();
    reduction = sums;
    Reg register = writer.reg(Type.WORD);
    writer.set(register, Op.MOVE, min);
    long width = (long) sums.copies() * plan.lanes();
    long done = extent < 0 ? 0 : extent / width * width;
    Operand start = min;
    if (extent < 0 || done > 0) {
      Operand end =
          extent < 0
              ? writer.addWords(limit, new Imm(1 - width))
              : writer.addWords(min, new Imm(done));
      vectors(loop, plan, register, start, end, extent >= 0, written, sums.copies(), false);
      start = copy(register);
    }
    boolean isDone = done == extent;
    if (!isDone && plan.isMaskable()) {
      vectors(loop, plan, register, start, limit, extent >= 0, written, 1, true);
    }
    reduction = null;
    sums.end(words, this::emit);
    if (!isDone && !plan.isMaskable()) {
      List<BufferLoad> elements = inMemory(Promotion.of(emission.program, loop, 1));
      continued(
          loop.counter(),
          register,
          start,
          limit,
          1,
          extent >= 0,
          written,
          () -> emit(loop.body()),
          elements);
    }
  }

  // ---- statements

  private void emitStore(Node.Store store) {
    Buffer buffer = store.buffer();
    PrimExpr index = store.index();
    emission.check(words, store.checks());
    if (lanes != null && reduction != null && reduction.reduces(store)) {
      reduction.update(store, lanes, copies);
      return;
    }
    if (lanes == null || !emission.varies(index)) {
      Operand value = words.of(store.value());
      Reg held = emission.held(buffer, index, 0);
      if (held != null) {
        writer.set(held, Op.MOVE, value);
      } else {
        Address address = emission.address(words, buffer, index);
        Casts.storeScalar(writer, emission.target, address, value, buffer.dtype());
      }
      forget(buffer);
      return;
    }
    Operand[] values = new Operand[copies];
    for (int copy = 0; copy < copies; copy++) {
      values[copy] = lanes.of(store.value(), copy);
      Reg held = emission.held(buffer, index, copy);
      if (held == null) {
        lanes.store(buffer, index, values[copy], copy);
      } else if (maskedBranches > 0) {
        Reg mask = Objects.requireNonNull(lanes.activeMask(copy, held.type().bits()));
        writer.set(held, Op.BLEND, mask, values[copy], held);
      } else {
        writer.set(held, Op.MOVE, values[copy]);
      }
    }
    forget(buffer);
  }

  private void emitDefine(Var var, PrimExpr value, Node body) {
    if (lanes != null && emission.varies(value)) {
      Scope scope = emission.scope();
      emission.varying.add(var);
      for (int copy = 0; copy < copies; copy++) {
        Operand known = copied(value, lanes.of(value, copy), copy);
        scope.variables.put(var, known);
        scope.lanes(copy).put(var, known);
      }
      emit(body);
      emission.varying.remove(var);
      return;
    }
    Operand known = copied(value, words.of(value), 0);
    int home = known instanceof Reg ? emission.home(value) : emission.depth();
    emission.scopes.get(home).variables.put(var, known);
    emit(body);
  }

  /** An element in a register changes; what a variable is does not. */
  private Operand copied(PrimExpr value, Operand operand, int copy) {
    return value instanceof BufferLoad load
            && emission.held(load.buffer(), load.indices().getFirst(), copy) != null
        ? writer.op(Op.MOVE, operand)
        : operand;
  }

  private void emitBranch(Node.Branch branch) {
    if (lanes != null && emission.varies(branch.condition())) {
      emitMasked(branch);
      return;
    }
    PrimExpr condition = branch.condition();
    Relation relation = Relation.NE;
    Operand a;
    Operand b = new Imm(0);
    if (condition instanceof Binary(BinaryOp op, PrimExpr left, PrimExpr right)
        && op.kind() == BinaryOp.Kind.COMPARISON
        && !left.dtype().isFloat()) {
      relation = Words.relation(op, left.dtype());
      a = words.inRegister(left);
      b = words.of(right);
    } else {
      a = words.inRegister(condition);
    }
    List<Lir> first = side(branch.whenTrue(), null);
    List<Lir> second =
        branch.whenFalse().isPresent() ? side(branch.whenFalse().get(), null) : List.of();
    writer.add(new Lir.If(relation, a, b, first, second));
    forgetAll(branch);
  }

  private void forgetAll(Node node) {
    Dependences.written(node).forEach(this::forget);
  }

  private List<Lir> side(Node node, Reg @Nullable [] masks) {
    Scope scope = emission.open(Scope.Kind.CONDITION, Dependences.written(node));
    if (masks != null) {
      scope.masks = masks;
    }
    emit(node);
    return emission.close();
  }

  private void emitMasked(Node.Branch branch) {
    Lanes vectors = Objects.requireNonNull(lanes);
    Reg[] masks = new Reg[copies];
    Reg[] others = new Reg[copies];
    for (int copy = 0; copy < copies; copy++) {
      Reg mask = vectors.mask(branch.condition(), copy, 32);
      Reg outer = vectors.activeMask(copy, 32);
      masks[copy] = outer == null ? mask : writer.op(Op.AND, mask, outer);
      others[copy] =
          branch.whenFalse().isEmpty()
              ? mask
              : outer == null ? writer.op(Op.NOT, mask) : writer.op(Op.AND_NOT, outer, mask);
    }
    maskedBranches++;
    List<Lir> first = side(branch.whenTrue(), masks);
    writer.addAll(first);
    if (branch.whenFalse().isPresent()) {
      writer.addAll(side(branch.whenFalse().get(), others));
    }
    maskedBranches--;
    forgetAll(branch);
  }

  private void emitAllocate(Node.Allocate allocate) {
    if (!(allocate.size() instanceof IntImm size) || lanes != null) {
      throw unsupported("buffer of unknown size in a loop");
    }
    long bytes = Math.multiplyExact(size.value(), allocate.buffer().dtype().elementByteSize());
    long before = scratchBytes;
    emission.allocate(allocate.buffer(), before);
    scratchBytes = before + (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    emit(allocate.body());
  }

  // ---- transposed tiles

  /** Square tiles in vector registers, then the rows and columns that are left as loops. */
  private void emitTranspose(Node.Transpose tile) {
    TransposedTile square = new TransposedTile(emission, tile);
    int size = square.size();
    Var row = Var.index("row");
    Var column = Var.index("column");
    PrimExpr rows = square.whole(tile.rows());
    PrimExpr columns = square.whole(tile.columns());
    Set<Buffer> written = Dependences.written(tile);
    strided(
        row,
        rows,
        size,
        written,
        () -> strided(column, columns, size, written, () -> square.write(words, row, column)));
    emit(
        TransposedTile.loops(
            tile, IntImm.of(0), rows, columns, Exprs.sub(tile.columns(), columns)));
    emit(
        TransposedTile.loops(
            tile, rows, Exprs.sub(tile.rows(), rows), IntImm.of(0), tile.columns()));
  }

  private void strided(Var counter, PrimExpr limit, int step, Set<Buffer> written, Runnable body) {
    loop(
        counter,
        new Imm(0),
        words.of(limit),
        step,
        limit instanceof IntImm extent && extent.value() > 0,
        written,
        body,
        List.of());
  }
}
