package org.relaxvm.backendsupport.gpu.codegen;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.rewrite.IrMutator;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.ForKind;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.Range;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.stmt.ThreadAxis;
import org.relaxvm.tir.verify.StableFacts;

/**
 * Gives every buffer of a launch one axis, along which its elements lie in memory, and simplifies
 * indices and conditions by what is known of counters. What is left of the axis that says whose
 * element it is, of local buffers around phases, is nothing.
 */
final class Flat extends IrMutator {
  private final Analyzer analyzer = new Analyzer();
  private final Map<Buffer, Buffer> flat = new HashMap<>();
  private final Set<Buffer> perItem = new HashSet<>();
  private boolean inPhase;

  private Flat() {}

  @Override
  public Stmt rewrite(Stmt stmt) {
    return switch (stmt) {
      case For loop -> loop(loop);
      case Let let -> {
        PrimExpr value = rewrite(let.value());
        try (Analyzer.Scope scope = analyzer.scope()) {
          if (let.value().dtype().equals(org.relaxvm.api.DType.INT64)
              && analyzer.canProve(Exprs.le(IntImm.of(0), value))) {
            analyzer.markNonNegative(let.var());
          }
          yield new Let(let.var(), value, rewrite(let.body()));
        }
      }
      case IfThenElse choice -> {
        PrimExpr condition = rewrite(choice.condition());
        Stmt whenTrue;
        PrimExpr stable = StableFacts.of(choice.condition(), choice.whenTrue());
        try (Analyzer.Scope scope = analyzer.withConstraint(stable)) {
          whenTrue = rewrite(choice.whenTrue());
        }
        yield new IfThenElse(condition, whenTrue, choice.whenFalse().map(this::rewrite));
      }
      case BufferStore store ->
          new BufferStore(
              flat(store.buffer()),
              rewrite(store.value()),
              List.of(offset(store.buffer(), store.indices())));
      case BlockRealize realize -> memory(realize);
      default -> super.rewrite(stmt);
    };
  }

  private Stmt loop(For loop) {
    boolean before = inPhase;
    inPhase |= loop.thread().filter(axis -> axis == ThreadAxis.THREAD_X).isPresent();
    PrimExpr extent = rewrite(loop.extent());
    try (Analyzer.Scope scope = analyzer.scope()) {
      if (StableFacts.isStable(loop.min(), loop.body())
          && StableFacts.isStable(loop.extent(), loop.body())) {
        analyzer.bind(loop.loopVar(), new Range(loop.min(), loop.extent()));
      }
      return new For(
          loop.loopVar(),
          rewrite(loop.min()),
          extent,
          loop.kind() == ForKind.PARALLEL ? ForKind.SERIAL : loop.kind(),
          loop.thread(),
          rewrite(loop.body()),
          loop.annotations());
    } finally {
      inPhase = before;
    }
  }

  private Stmt memory(BlockRealize realize) {
    Block block = realize.block();
    for (Buffer buffer : block.allocBuffers()) {
      if (buffer.scope() == MemoryScope.LOCAL && !inPhase) {
        perItem.add(buffer);
      }
    }
    List<Buffer> buffers = block.allocBuffers().stream().map(this::flat).toList();
    return BlockRealize.always(
        new Block(
            block.name(),
            List.of(),
            List.of(),
            List.of(),
            buffers,
            Optional.empty(),
            rewrite(block.body()),
            block.annotations()),
        List.of());
  }

  @Override
  public PrimExpr rewrite(PrimExpr expr) {
    if (expr instanceof BufferLoad load) {
      return new BufferLoad(flat(load.buffer()), List.of(offset(load.buffer(), load.indices())));
    }
    return super.rewrite(expr);
  }

  private PrimExpr offset(Buffer buffer, List<PrimExpr> indices) {
    List<PrimExpr> strides =
        buffer.strides().isEmpty() ? Exprs.rowMajorStrides(buffer.shape()) : buffer.strides();
    int first = perItem.contains(buffer) ? 1 : 0;
    PrimExpr offset =
        Exprs.dot(indices.subList(first, indices.size()), strides.subList(first, strides.size()));
    return rewrite(looksUp(offset) ? offset : analyzer.simplify(offset));
  }

  private static boolean looksUp(PrimExpr expr) {
    return expr instanceof BufferLoad || expr.operands().stream().anyMatch(Flat::looksUp);
  }

  /** The buffer with one axis; it has the name and the scope of the other. */
  private Buffer flat(Buffer buffer) {
    return flat.computeIfAbsent(
        buffer,
        b -> {
          PrimExpr size = IntImm.of(1);
          List<PrimExpr> shape = b.shape();
          for (PrimExpr extent : shape.subList(perItem.contains(b) ? 1 : 0, shape.size())) {
            size = Exprs.mul(size, extent);
          }
          return Buffer.of(b.name(), b.dtype(), List.of(size), b.scope());
        });
  }

  /** Which buffer of the kernel a flat one stands for. */
  Map<Buffer, Buffer> origins() {
    Map<Buffer, Buffer> origins = new HashMap<>();
    flat.forEach((from, to) -> origins.put(to, from));
    return origins;
  }

  /**
   * A launch with one index for each access.
   *
   * @param stmt the launch
   * @param origins which buffer of the kernel each buffer of the launch stands for
   */
  record Launch(Stmt stmt, Map<Buffer, Buffer> origins) {
    static Launch of(Stmt launch) {
      Flat flat = new Flat();
      Stmt stmt = flat.rewrite(launch);
      return new Launch(stmt, flat.origins());
    }
  }
}
