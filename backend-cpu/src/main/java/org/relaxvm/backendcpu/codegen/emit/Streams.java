package org.relaxvm.backendcpu.codegen.emit;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ConstantDescs;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcpu.codegen.emit.ScalarEmitter.Local;
import org.relaxvm.backendcpu.codegen.loops.Affine;
import org.relaxvm.backendcpu.codegen.loops.LoopProgram;
import org.relaxvm.backendcpu.codegen.loops.Node;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/**
 * The elements that a loop steps along: each has a JVM variable with its place at the first turn,
 * from where an int that counts turns leads to the others.
 *
 * <p>What all turns reach for certain can be cut out of the memory as a slice. All slices of a loop
 * are as long as its turns, so that the JIT compiler checks one range for all of them, and does
 * little in front of the loop.
 */
final class Streams implements ScalarEmitter.Streams {
  private record Stream(Local first, long step) {}

  private final ScalarEmitter scalars;
  private final CodeBuilder code;
  private final Var counter;
  private final int turn;
  private final Map<Access, Stream> streams = new LinkedHashMap<>();
  private final Map<Access, Integer> slices = new LinkedHashMap<>();
  private final Map<Access, Integer> blocks = new HashMap<>();
  private boolean inSlices;
  private long ahead;
  private ScalarEmitter.@Nullable Streams outer;

  /**
   * Streams along a loop.
   *
   * @param turn the JVM variable that counts from 0 on
   */
  Streams(ScalarEmitter scalars, Var counter, int turn) {
    this.scalars = scalars;
    this.code = scalars.code();
    this.counter = counter;
    this.turn = turn;
  }

  /** Computes the first places; the counter has its first value. */
  void prepare(LoopProgram program, Node.Loop loop, boolean onlyContiguous) {
    outer = scalars.streams(null);
    scalars.streams(outer);
    Names names = Names.of(program, loop);
    visit(loop.body(), names, loop.counter(), onlyContiguous);
  }

  private void visit(Node node, Names names, Var loopCounter, boolean onlyContiguous) {
    if (node instanceof Node.Store store) {
      add(new Access(store.buffer(), store.index()), names, onlyContiguous);
    }
    for (PrimExpr expr : node.exprs()) {
      visit(expr, names, onlyContiguous);
    }
    for (Node child : node.children()) {
      visit(child, names, loopCounter, onlyContiguous);
    }
  }

  private void visit(PrimExpr expr, Names names, boolean onlyContiguous) {
    if (expr instanceof BufferLoad load) {
      add(new Access(load.buffer(), load.indices().getFirst()), names, onlyContiguous);
    }
    expr.operands().forEach(operand -> visit(operand, names, onlyContiguous));
  }

  private void add(Access access, Names names, boolean onlyContiguous) {
    OptionalLong step = Affine.step(access.index(), counter);
    if (step.isEmpty()
        || step.getAsLong() == 0
        || (onlyContiguous && step.getAsLong() != 1)
        || streams.containsKey(access)
        || reads(access.index())
        || names.allocates(access.buffer())
        || Names.variablesOf(access.index()).keySet().stream()
            .anyMatch(var -> !var.equals(counter) && names.defines(var))) {
      return;
    }
    scalars.emitOffset(access.buffer(), access.index());
    Local first = scalars.newLocal(JvmKind.LONG);
    scalars.store(first);
    long bytes = access.buffer().dtype().elementByteSize();
    streams.put(access, new Stream(first, step.getAsLong() * bytes));
  }

  private static boolean reads(PrimExpr expr) {
    return expr instanceof BufferLoad || expr.operands().stream().anyMatch(Streams::reads);
  }

  /** The streams there are. */
  Collection<Access> accesses() {
    return streams.keySet();
  }

  /**
   * Cuts out what streams of contiguous elements reach in all turns.
   *
   * @param always what is reached whatever the conditions of a turn are
   * @param turns the JVM variable with the number of turns
   */
  void slice(Set<Access> always, int turns) {
    streams.forEach(
        (access, stream) -> {
          if (always.contains(access)) {
            code.aload(scalars.memory(access.buffer()).segment());
            scalars.load(stream.first());
            code.iload(turns).i2l().loadConstant(stream.step()).lmul();
            slices.put(access, cut());
          }
        });
  }

  /** Whether places are in the slices from now on, for turns that do not rest. */
  void inSlices(boolean value) {
    inSlices = value;
  }

  /** Cuts what the next turns reach out of the memory, until {@link #leaveBlock}. */
  void enterBlock(Set<Access> always, long turns) {
    streams.forEach(
        (access, stream) -> {
          if (always.contains(access)) {
            emitPlace(access, stream);
            code.loadConstant(turns * stream.step());
            blocks.put(access, cut());
          }
        });
  }

  void leaveBlock() {
    blocks.clear();
  }

  /** Lets places be those of a later turn than that which is counted. */
  void ahead(long turns) {
    ahead = turns;
  }

  /** Makes a slice of the segment, place and size on the stack; returns its JVM variable. */
  private int cut() {
    code.invokeinterface(
        Calls.SEGMENT,
        "asSlice",
        Calls.type(Calls.SEGMENT, ConstantDescs.CD_long, ConstantDescs.CD_long));
    int slice = code.allocateLocal(TypeKind.REFERENCE);
    code.astore(slice);
    return slice;
  }

  @Override
  public boolean place(Buffer buffer, PrimExpr index) {
    Access access = new Access(buffer, index);
    Stream stream = streams.get(access);
    if (stream == null) {
      return outer != null && outer.place(buffer, index);
    }
    Integer block = blocks.get(access);
    if (block != null) {
      code.aload(block).loadConstant(ahead * stream.step());
      return true;
    }
    emitPlace(access, stream);
    if (ahead != 0) {
      code.loadConstant(ahead * stream.step()).ladd();
    }
    return true;
  }

  private void emitPlace(Access access, Stream stream) {
    Integer slice = inSlices ? slices.get(access) : null;
    if (slice != null) {
      code.aload(slice);
    } else {
      code.aload(scalars.memory(access.buffer()).segment());
      scalars.load(stream.first());
    }
    code.iload(turn).i2l().loadConstant(stream.step()).lmul();
    if (slice == null) {
      code.ladd();
    }
  }
}
