package org.relaxvm.backendcpu.codegen.emit;

import java.lang.classfile.CodeBuilder;
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
import org.relaxvm.backendcpu.codegen.loops.Names;
import org.relaxvm.backendcpu.codegen.loops.Node;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/**
 * The elements that a loop steps along: each has a JVM variable with its offset at the first
 * iteration, from where an int that counts iterations leads to the others.
 *
 * <p>What all iterations reach for certain has an address in pinned memory, which is checked once
 * for all iterations.
 */
final class Streams implements ScalarEmitter.Streams {
  private record Stream(Local first, long step) {}

  private final ScalarEmitter scalars;
  private final CodeBuilder code;
  private final Var counter;
  private final int turn;
  private final Map<Access, Stream> streams = new LinkedHashMap<>();
  private final Map<Access, Local> addresses = new LinkedHashMap<>();
  private final Map<Access, Local> blocks = new HashMap<>();
  private boolean byAddress;
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
    Local first = stored();
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
   * Computes the addresses of streams in pinned memory, and checks them.
   *
   * @param always neighbouring elements that are reached whatever the conditions of an iteration
   *     are
   * @param turns the JVM variable with the number of iterations
   */
  void findAddresses(Set<Access> always, int turns) {
    streams.forEach(
        (access, stream) -> {
          if (always.contains(access)) {
            ScalarEmitter.Memory memory = scalars.memory(access.buffer());
            code.lload(memory.where()).lload(memory.place());
            scalars.load(stream.first());
            code.iload(turns).i2l().loadConstant(stream.step()).lmul();
            code.invokestatic(
                Calls.PROCESS,
                "reach",
                Calls.type(
                    ConstantDescs.CD_long,
                    ConstantDescs.CD_long,
                    ConstantDescs.CD_long,
                    ConstantDescs.CD_long,
                    ConstantDescs.CD_long));
            addresses.put(access, stored());
          }
        });
  }

  /** Whether places are addresses, where they are known, from now on. */
  void byAddress(boolean value) {
    byAddress = value;
  }

  /** Computes the addresses of the turn that is counted once, until {@link #leaveBlock}. */
  void enterBlock() {
    addresses.forEach(
        (access, address) -> {
          emitTurn(address, access);
          code.invokestatic(
              Calls.PROCESS, "known", Calls.type(ConstantDescs.CD_long, ConstantDescs.CD_long));
          blocks.put(access, stored());
        });
  }

  void leaveBlock() {
    blocks.clear();
  }

  /** Lets places be those of a later iteration than that which is counted. */
  void ahead(long turns) {
    ahead = turns;
  }

  private Local stored() {
    Local local = scalars.newLocal(JvmKind.LONG);
    scalars.store(local);
    return local;
  }

  @Override
  public boolean place(Buffer buffer, PrimExpr index) {
    Access access = new Access(buffer, index);
    Stream stream = streams.get(access);
    if (stream == null) {
      return outer != null && outer.place(buffer, index);
    }
    Local block = blocks.get(access);
    Local address = byAddress ? addresses.get(access) : null;
    if (address != null) {
      code.getstatic(Calls.PROCESS, "ALL", Calls.SEGMENT);
    } else {
      scalars.emitSegment(access.buffer());
    }
    if (block != null) {
      scalars.load(block);
    } else {
      emitTurn(address != null ? address : stream.first(), access);
    }
    if (ahead != 0) {
      code.loadConstant(ahead * stream.step()).ladd();
    }
    return true;
  }

  /**
   * The place of the turn that is counted. The JIT compiler proves what it can before it has found
   * out that the loop counts upwards from 0, so it is told.
   */
  private void emitTurn(Local first, Access access) {
    scalars.load(first);
    code.iload(turn).loadConstant(Integer.MAX_VALUE).iand().i2l();
    code.loadConstant(step(access)).lmul();
    code.ladd();
  }

  private long step(Access access) {
    return java.util.Objects.requireNonNull(streams.get(access)).step();
  }
}
