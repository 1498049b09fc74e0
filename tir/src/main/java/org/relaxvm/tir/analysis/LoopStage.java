package org.relaxvm.tir.analysis;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrMutator;
import org.relaxvm.tir.rewrite.IrVisitor;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.stmt.Block;
import org.relaxvm.tir.stmt.BlockRealize;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/**
 * A stage that is one block in its loops, which are divided into those whose iterations are
 * independent and all others. The extents of independent loops do not depend on other loops.
 * Immutable and thread-safe.
 */
public final class LoopStage extends Stage {
  private static final PrimExpr ZERO = IntImm.of(0);
  private static final PrimExpr ONE = IntImm.of(1);

  private final Nest nest;
  private final List<For> parallel;
  private final List<For> serial;
  private final Optional<Reduction> reduction;

  private LoopStage(Stmt statement, Nest nest, List<For> parallel, List<For> serial) {
    super(statement);
    this.nest = nest;
    this.parallel = List.copyOf(parallel);
    this.serial = List.copyOf(serial);
    this.reduction = readReduction();
  }

  /**
   * The stage as a block in its loops.
   *
   * @param independent loop variables of loops whose iterations are independent
   * @return empty when it is something else, when it allocates global memory, and when the extent
   *     of an independent loop depends on another loop
   */
  static Optional<LoopStage> read(Stage stage, Set<Var> independent) {
    Optional<Nest> found = Nest.of(stage.statement()).filter(nest -> !allocates(nest.realize()));
    if (found.isEmpty()) {
      return Optional.empty();
    }
    Nest nest = found.get();
    List<For> parallel = new ArrayList<>();
    List<For> serial = new ArrayList<>();
    for (For loop : nest.loops()) {
      boolean free =
          !nest.isOpaque() && nest.spatial().contains(loop) && independent.contains(loop.loopVar());
      (free ? parallel : serial).add(loop);
    }
    boolean rectangular =
        parallel.stream()
            .allMatch(loop -> nest.loops().stream().noneMatch(o -> dependsOn(loop, o.loopVar())));
    return rectangular
        ? Optional.of(new LoopStage(stage.statement(), nest, parallel, serial))
        : Optional.empty();
  }

  /** Whether a block inside allocates memory of the device, of which there is one copy. */
  private static boolean allocates(BlockRealize realize) {
    boolean[] found = {false};
    new IrVisitor() {
      @Override
      public void visit(Block block) {
        found[0] |= block.allocBuffers().stream().anyMatch(b -> b.scope() == MemoryScope.GLOBAL);
        super.visit(block);
      }
    }.visit(realize);
    return found[0];
  }

  private static boolean dependsOn(For loop, Var counter) {
    return Nest.uses(loop.min(), counter) || Nest.uses(loop.extent(), counter);
  }

  /** The block and its loops. */
  public Nest nest() {
    return nest;
  }

  /** The loops of spatial axes whose iterations are independent, outermost first. */
  public List<For> parallel() {
    return parallel;
  }

  /** All other loops, outermost first. */
  public List<For> serial() {
    return serial;
  }

  /**
   * What the serial loops reduce to; empty where they compute something else, and where the block
   * runs under a condition.
   */
  public Optional<Reduction> reduction() {
    return reduction;
  }

  private Optional<Reduction> readReduction() {
    if (serial.isEmpty() || !nest.isReduction() || !serial.equals(nest.reduction())) {
      return Optional.empty();
    }
    boolean always = nest.realize().predicate() instanceof IntImm truth && truth.value() != 0;
    return always ? Reduction.of(nest.block()) : Optional.empty();
  }

  /**
   * What a reduction that is kept in registers starts with and ends in.
   *
   * @param outputs the elements that a point of the parallel loops updates, in terms of the loop
   *     variables
   * @param start their values before the first iteration
   */
  public record Accumulation(List<PrimExpr> outputs, List<PrimExpr> start) {
    /** Copies the lists. */
    public Accumulation {
      outputs = List.copyOf(outputs);
      start = List.copyOf(start);
    }
  }

  /**
   * The accumulation of this stage's {@link #reduction()}; empty without a reduction, where the
   * serial loops move through the outputs, and where the initial values depend on memory.
   */
  public Optional<Accumulation> accumulation() {
    return reduction.flatMap(this::accumulation);
  }

  private Optional<Accumulation> accumulation(Reduction known) {
    Substitution atPoint = new Substitution(nest.point());
    List<PrimExpr> outputs = new ArrayList<>();
    for (Buffer buffer : known.buffers()) {
      outputs.add(atPoint.rewrite(new BufferLoad(buffer, known.indices())));
    }
    return outputs.stream().anyMatch(output -> Nest.usesAny(output, serial))
        ? Optional.empty()
        : known
            .start(nest.block(), outputs, atPoint)
            .map(start -> new Accumulation(outputs, start));
  }

  /** The contraction that it is, such as a matmul or a convolution; empty when it is none. */
  public Optional<Contraction> contraction() {
    return Contraction.of(this);
  }

  /**
   * This reduction with the stage before it, if that stage initializes all of its output and
   * nothing else. The result is one stage whose block has an initialization.
   */
  Optional<LoopStage> initializedBy(LoopStage init) {
    if (reduction.isEmpty()
        || reduction.get().buffers().size() != 1
        || nest.block().init().isPresent()
        || !init.serial.isEmpty()
        || !(init.nest.block().body() instanceof BufferStore store)
        || !store.buffer().equals(reduction.get().buffers().getFirst())
        || !Operations.isFreeOfLoads(store.value())
        || !init.nest.realize().predicate().equals(nest.realize().predicate())
        || !init.visitsAll(store.indices(), store.buffer())
        || !visitsAll(reduction.get().indices(), store.buffer())) {
      return Optional.empty();
    }
    Block block = nest.block();
    Block initialized =
        new Block(
            block.name(),
            block.iterVars(),
            block.reads(),
            block.writes(),
            block.allocBuffers(),
            Optional.of(new BufferStore(store.buffer(), store.value(), reduction.get().indices())),
            block.body(),
            block.annotations());
    BlockRealize realize =
        new BlockRealize(nest.realize().iterValues(), nest.realize().predicate(), initialized);
    return Optional.of(
        new LoopStage(
            new Seq(List.of(init.statement(), statement())),
            new Nest(realize, nest.loops(), nest.accesses(), nest.valueUses()),
            parallel,
            serial));
  }

  /** Whether the points of the parallel loops are the elements of a buffer, each of them once. */
  private boolean visitsAll(List<PrimExpr> axes, Buffer buffer) {
    PrimExpr element = new Substitution(nest.point()).rewrite(new BufferLoad(buffer, axes));
    Set<PrimExpr> left = new HashSet<>();
    parallel.forEach(loop -> left.add(loop.loopVar()));
    List<PrimExpr> indices = element.operands();
    for (int axis = 0; axis < indices.size(); axis++) {
      PrimExpr index = indices.get(axis);
      PrimExpr extent = buffer.shape().get(axis);
      Optional<For> loop =
          parallel.stream().filter(each -> each.loopVar().equals(index)).findFirst();
      boolean whole =
          loop.isPresent()
              && left.remove(index)
              && loop.get().extent().equals(extent)
              && loop.get().min().equals(ZERO);
      if (!whole) {
        return false;
      }
    }
    return left.isEmpty();
  }

  /**
   * This elementwise stage as an epilogue of another one: the statement that it runs for one
   * element of the other stage's result.
   *
   * @param result the element that the other stage computes at a point, in terms of its loop
   *     variables
   * @param value stands for the element in the statement
   * @return empty unless this stage reads each element of the result once, at its own point
   */
  public Optional<Stmt> asEpilogue(BufferLoad result, Var value) {
    if (!serial.isEmpty()
        || nest.isReduction()
        || !(nest.block().body() instanceof BufferStore store)
        || store.buffer().equals(result.buffer())) {
      return Optional.empty();
    }
    List<List<PrimExpr>> reads =
        nest.accesses().stream()
            .filter(access -> access.buffer().equals(result.buffer()))
            .map(Access::indices)
            .distinct()
            .toList();
    if (reads.size() != 1) {
      return Optional.empty();
    }
    return counters(reads.getFirst(), result)
        .map(
            counters ->
                new Substitution(counters).rewrite(withValue(body(store), result.buffer(), value)));
  }

  /** The values of this stage's loop variables where it reads an element of a result. */
  private Optional<Map<Var, PrimExpr>> counters(List<PrimExpr> read, BufferLoad result) {
    List<PrimExpr> shape = result.buffer().shape();
    Map<Var, PrimExpr> counters = new HashMap<>();
    for (int axis = 0; axis < read.size(); axis++) {
      PrimExpr index = read.get(axis);
      if (index instanceof Var var) {
        if (counters.putIfAbsent(var, result.indices().get(axis)) != null) {
          return Optional.empty();
        }
      } else if (!index.equals(result.indices().get(axis))
          && !(index.equals(ZERO) && shape.get(axis).equals(ONE))) {
        return Optional.empty();
      }
    }
    for (For loop : parallel) {
      int axis = read.indexOf(loop.loopVar());
      if (axis < 0 && loop.extent().equals(ONE)) {
        counters.put(loop.loopVar(), loop.min());
      } else if (axis < 0 || !loop.min().equals(ZERO) || !loop.extent().equals(shape.get(axis))) {
        return Optional.empty();
      }
    }
    return counters.size() == parallel.size() ? Optional.of(counters) : Optional.empty();
  }

  /** The statement of the block in terms of the loop variables. */
  private Stmt body(BufferStore store) {
    Stmt body = new Substitution(nest.point()).rewrite((Stmt) store);
    PrimExpr predicate = nest.realize().predicate();
    return predicate.equals(IntImm.of(true))
        ? body
        : new IfThenElse(predicate, body, Optional.empty());
  }

  private static Stmt withValue(Stmt stmt, Buffer buffer, Var value) {
    return new IrMutator() {
      @Override
      public PrimExpr rewrite(PrimExpr expr) {
        return expr instanceof BufferLoad load && load.buffer().equals(buffer)
            ? value
            : super.rewrite(expr);
      }
    }.rewrite(stmt);
  }
}
