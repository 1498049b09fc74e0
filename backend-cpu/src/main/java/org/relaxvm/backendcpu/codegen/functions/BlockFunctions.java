package org.relaxvm.backendcpu.codegen.functions;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.codegen.cost.LaneCost;
import org.relaxvm.backendcpu.codegen.loops.Affine;
import org.relaxvm.backendcpu.codegen.loops.LoopProgram;
import org.relaxvm.backendcpu.codegen.loops.Node;
import org.relaxvm.backendcpu.vector.block.FunctionBlocks;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/**
 * Takes functions out of vector loops in which they are too much for HotSpot's C2, which then makes
 * an object of every vector. The loop goes block by block: a loop of its own computes the arguments
 * of a function into a small memory, the kernel library's code for that function works there, and
 * the loop that is left reads its results.
 *
 * <p>The iterations of a vector loop are independent, so each statement may run for a whole block
 * before the next one does. A function under a condition stays where it is: its argument may be
 * nothing that can be computed everywhere.
 *
 * <p>Rationale: docs/rationale/backend-cpu.md, "Why are expensive functions computed outside the
 * loop?"
 */
public final class BlockFunctions {
  private static final String NAME = "block";

  private final Var counter;
  private final Var start;
  private final Var count;
  private final List<Buffer> memory = new ArrayList<>();
  private final List<Node> nodes = new ArrayList<>();
  private final Map<PrimExpr, BufferLoad> results = new HashMap<>();

  private BlockFunctions(Var counter) {
    this.counter = counter;
    this.start = Var.index("start");
    this.count = Var.index("count");
  }

  /** The same program with fewer functions in its vector loops. */
  public static LoopProgram in(LoopProgram program) {
    return new LoopProgram(
        program.function(),
        program.buffers(),
        program.variables(),
        rewrite(program.body()),
        program.checks());
  }

  private static Node rewrite(Node node) {
    return switch (node) {
      case Node.Loop loop when loop.mode() == Node.Mode.VECTOR -> rewriteLoop(loop);
      case Node.Loop loop -> loop.withBody(rewrite(loop.body()));
      case Node.Define(Var var, PrimExpr value, Node body) ->
          new Node.Define(var, value, rewrite(body));
      case Node.Branch(PrimExpr condition, Node whenTrue, Optional<Node> whenFalse) ->
          new Node.Branch(condition, rewrite(whenTrue), whenFalse.map(BlockFunctions::rewrite));
      case Node.Sequence(List<Node> inner) ->
          new Node.Sequence(inner.stream().map(BlockFunctions::rewrite).toList());
      case Node.Allocate(Buffer buffer, List<PrimExpr> shape, PrimExpr size, Node body) ->
          new Node.Allocate(buffer, shape, size, rewrite(body));
      default -> node;
    };
  }

  private static Node rewriteLoop(Node.Loop loop) {
    List<Node> statements =
        loop.body() instanceof Node.Sequence(List<Node> inner) ? inner : List.of(loop.body());
    if (!statements.stream().allMatch(Node.Store.class::isInstance)
        || LaneCost.of(loop.body()) <= LaneCost.MOST_IN_LOOP) {
      return loop;
    }
    BlockFunctions functions = new BlockFunctions(loop.counter());
    statements.forEach(statement -> functions.add((Node.Store) statement));
    return functions.memory.isEmpty() ? loop : functions.around(loop);
  }

  private void add(Node.Store store) {
    // What one statement stores, another one may load.
    results.clear();
    PrimExpr value = withoutFunctions(store.value());
    nodes.add(turns(new Node.Store(store.buffer(), store.index(), value, store.checks())));
  }

  private Node turns(Node.Store store) {
    return new Node.Loop(counter, start, count, Node.Mode.VECTOR, 1, store);
  }

  @SuppressWarnings("ReferenceEquality") // loads are known by identity: what is the same stays so
  private PrimExpr withoutFunctions(PrimExpr expr) {
    if (expr instanceof BufferLoad || !Affine.uses(expr, counter)) {
      return expr;
    }
    boolean choice = expr instanceof Call call && call.op() == Intrinsic.IF_THEN_ELSE;
    List<PrimExpr> operands = new ArrayList<>();
    boolean same = true;
    for (PrimExpr operand : expr.operands()) {
      boolean always = !choice || operands.isEmpty();
      PrimExpr other = always ? withoutFunctions(operand) : operand;
      same &= other == operand;
      operands.add(other);
    }
    PrimExpr rest = same ? expr : Exprs.rebuild(expr, operands);
    return rest instanceof Call call && LaneCost.isFunction(call.op()) && has(call)
        ? results.computeIfAbsent(call, missing -> result(call))
        : rest;
  }

  private static boolean has(Call call) {
    return call.op() != Intrinsic.ATAN2 && call.dtype().isFloat() && call.dtype().lanes() == 1;
  }

  /** Computes a function for the block. */
  private BufferLoad result(Call call) {
    List<Buffer> args = new ArrayList<>();
    for (PrimExpr arg : call.args()) {
      Buffer block = memory(call.dtype());
      nodes.add(turns(new Node.Store(block, place(), arg, List.of())));
      args.add(block);
    }
    nodes.add(new Node.Apply(call.op(), args, count));
    return new BufferLoad(args.getFirst(), List.of(place()));
  }

  private Buffer memory(DType dtype) {
    Buffer block =
        Buffer.of(NAME, dtype, List.of(IntImm.of(FunctionBlocks.LENGTH)), MemoryScope.GLOBAL);
    memory.add(block);
    return block;
  }

  private PrimExpr place() {
    return Exprs.sub(counter, start);
  }

  private Node around(Node.Loop loop) {
    Node body = Node.sequence(nodes);
    if (loop.extent() instanceof IntImm turns && turns.value() <= FunctionBlocks.LENGTH) {
      body = new Node.Define(count, loop.extent(), body);
      body = new Node.Define(start, loop.min(), body);
    } else {
      Var block = Var.index(NAME);
      PrimExpr done = Exprs.mul(block, FunctionBlocks.LENGTH);
      PrimExpr left = Exprs.sub(loop.extent(), done);
      PrimExpr most = IntImm.of(FunctionBlocks.LENGTH);
      body = new Node.Define(count, Exprs.min(most, left), body);
      body = new Node.Define(start, Exprs.add(loop.min(), done), body);
      PrimExpr blocks = Exprs.ceilDiv(loop.extent(), most);
      body = new Node.Loop(block, IntImm.of(0), blocks, Node.Mode.SERIAL, 1, body);
    }
    for (Buffer buffer : memory.reversed()) {
      PrimExpr size = buffer.shape().getFirst();
      body = new Node.Allocate(buffer, buffer.shape(), size, body);
    }
    return body;
  }
}
