package org.relaxvm.backendcpu.codegen.emit;

import java.lang.classfile.CodeBuilder;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
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
 */
final class Streams implements ScalarEmitter.Streams {
  private record Access(Buffer buffer, PrimExpr index) {}

  private record Stream(Local first, long step) {}

  private final ScalarEmitter scalars;
  private final CodeBuilder code;
  private final Var counter;
  private final int turn;
  private final Map<Access, Stream> streams = new LinkedHashMap<>();
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

  @Override
  public boolean place(Buffer buffer, PrimExpr index) {
    Stream stream = streams.get(new Access(buffer, index));
    if (stream == null) {
      return outer != null && outer.place(buffer, index);
    }
    scalars.load(stream.first());
    code.iload(turn).i2l();
    code.loadConstant(stream.step());
    code.lmul().ladd();
    return true;
  }
}
