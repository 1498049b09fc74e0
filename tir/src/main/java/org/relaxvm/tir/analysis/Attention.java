package org.relaxvm.tir.analysis;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.tir.analysis.LoopStage.Accumulation;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Reducer;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.IrMutator;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.Stmt;

/**
 * Attention: {@code sum(exp(score - max) * value) / sum(exp(score - max))} over keys, where a score
 * is an expression of a contraction. All expressions are in terms of the loop variables of the
 * contraction. Immutable and thread-safe.
 *
 * @param query the operand of the contraction that depends on the rows
 * @param key the operand that depends on the keys
 * @param start the initial value of the contraction's accumulator
 * @param depth the reduction loops of the contraction
 * @param product stands for the result of the contraction in the score
 * @param score of a row and a key
 * @param mask whether a row attends to a key, if not to all; other keys have the weight 0, whatever
 *     their scores and values are
 * @param value what is weighted
 * @param batch loops on which keys or values depend
 * @param rows loops on which only queries depend
 * @param keys the loop over keys
 * @param columns loops on which only values depend
 * @param result stands for the quotient in the store
 * @param store the statement that stores a result
 * @param temporaries the buffers between the stages, which nothing else may use
 */
public record Attention(
    PrimExpr query,
    PrimExpr key,
    PrimExpr start,
    List<For> depth,
    Var product,
    PrimExpr score,
    Optional<PrimExpr> mask,
    PrimExpr value,
    List<For> batch,
    List<For> rows,
    For keys,
    List<For> columns,
    Var result,
    Stmt store,
    List<Buffer> temporaries) {
  /** The number of stages that attention consists of. */
  public static final int STAGES = 6;

  /** Copies the lists. */
  public Attention {
    depth = List.copyOf(depth);
    batch = List.copyOf(batch);
    rows = List.copyOf(rows);
    columns = List.copyOf(columns);
    temporaries = List.copyOf(temporaries);
  }

  /** The attention that the first of these stages are; empty where they are something else. */
  public static Optional<Attention> of(List<LoopStage> stages) {
    return stages.size() < STAGES ? Optional.empty() : new Reader(stages).read();
  }

  /**
   * Finds attention in stages that follow each other: a contraction, the largest score of each row,
   * weights, their sum, weighted values, and a formula of the quotient of both. For one piece of
   * work.
   */
  private static final class Reader {
    private final List<LoopStage> stages;

    /** The loops around the contraction, whose counters all else is told in. */
    private final Map<Var, For> loops = new LinkedHashMap<>();

    Reader(List<LoopStage> stages) {
      this.stages = stages;
    }

    /** Something that counts under a condition, if there is one. */
    private record Masked(Optional<PrimExpr> mask, PrimExpr value) {
      static Masked of(PrimExpr expr, PrimExpr masked) {
        return expr instanceof Call call
                && call.op() == Intrinsic.IF_THEN_ELSE
                && call.args().get(2).equals(masked)
            ? new Masked(Optional.of(call.args().get(0)), call.args().get(1))
            : new Masked(Optional.empty(), expr);
      }
    }

    /**
     * The counters of a stage in terms of those of the contraction.
     *
     * @param others loops that have no counterpart
     */
    private record Counters(Map<Var, PrimExpr> values, List<For> others) {}

    /** A reduction along the keys. */
    private record OverKeys(BufferLoad output, PrimExpr element, PrimExpr key, List<For> others) {}

    private Optional<Attention> read() {
      LoopStage first = stages.getFirst();
      Optional<Contraction> found = first.contraction();
      if (found.isEmpty() || found.get().rows().isEmpty()) {
        return Optional.empty();
      }
      Contraction contraction = found.get();
      first.parallel().forEach(loop -> loops.put(loop.loopVar(), loop));
      BufferLoad product = contraction.output();
      if (product.indices().size() != loops.size()
          || !loops.keySet().containsAll(product.indices())
          || !Operations.isFreeOfLoads(contraction.start())) {
        return Optional.empty();
      }
      Optional<OverKeys> max = overKeys(stages.get(1), product, BinaryOp.MAX);
      if (max.isEmpty() || !max.get().others().isEmpty()) {
        return Optional.empty();
      }
      Masked score = Masked.of(max.get().element(), Reducer.lowest(product.dtype()));
      Optional<BufferLoad> weight = weight(product, max.get().output(), score);
      Optional<OverKeys> sum = weight.flatMap(w -> overKeys(stages.get(3), w, BinaryOp.ADD));
      Optional<OverKeys> weighted = weight.flatMap(w -> overKeys(stages.get(4), w, BinaryOp.ADD));
      if (sum.isEmpty()
          || weighted.isEmpty()
          || !sum.get().element().equals(weight.get())
          || !sum.get().others().isEmpty()
          || !sum.get().key().equals(max.get().key())
          || !weighted.get().key().equals(max.get().key())) {
        return Optional.empty();
      }
      Masked part = Masked.of(weighted.get().element(), Exprs.constant(product.dtype(), 0));
      Optional<PrimExpr> value = otherFactor(part.value(), weight.get());
      Var result = new Var("mean", product.dtype());
      Optional<Stmt> store = store(weighted.get().output(), sum.get().output(), result);
      if (value.isEmpty() || store.isEmpty() || !part.mask().equals(score.mask())) {
        return Optional.empty();
      }
      Var stands = new Var("product", product.dtype());
      PrimExpr key = max.get().key();
      boolean swapped = uses(contraction.rowValue(), key);
      PrimExpr query = swapped ? contraction.columnValue() : contraction.rowValue();
      PrimExpr keyValue = swapped ? contraction.rowValue() : contraction.columnValue();
      List<For> batch = new ArrayList<>();
      List<For> rows = new ArrayList<>();
      for (For loop : loops.values()) {
        Var counter = loop.loopVar();
        if (!counter.equals(key)) {
          boolean isRow =
              uses(query, counter) && !uses(keyValue, counter) && !uses(value.get(), counter);
          (isRow ? rows : batch).add(loop);
        }
      }
      if (rows.isEmpty() || uses(query, key) || !uses(keyValue, key)) {
        return Optional.empty();
      }
      Attention parts =
          new Attention(
              query,
              keyValue,
              contraction.start(),
              first.serial(),
              stands,
              replaced(product, stands).rewrite(score.value()),
              score.mask(),
              value.get(),
              batch,
              rows,
              first.nest().loop((Var) key),
              weighted.get().others(),
              result,
              store.get(),
              List.of(
                  product.buffer(),
                  max.get().output().buffer(),
                  weight.get().buffer(),
                  sum.get().output().buffer(),
                  weighted.get().output().buffer()));
      return isApart(parts) ? Optional.of(parts) : Optional.empty();
    }

    private static boolean uses(PrimExpr expr, PrimExpr counter) {
      return counter instanceof Var var && Nest.uses(expr, var);
    }

    /** Whether nothing that is read along the way is written. */
    private static boolean isApart(Attention parts) {
      Set<BufferLoad> reads = new HashSet<>();
      for (PrimExpr expr : List.of(parts.query(), parts.key(), parts.score(), parts.value())) {
        collect(expr, reads);
      }
      parts.mask().ifPresent(mask -> collect(mask, reads));
      Set<Buffer> written = new HashSet<>(parts.temporaries());
      if (parts.store() instanceof BufferStore store) {
        written.add(store.buffer());
      }
      return reads.stream().noneMatch(read -> written.contains(read.buffer()));
    }

    private static void collect(PrimExpr expr, Set<BufferLoad> reads) {
      if (expr instanceof BufferLoad load) {
        reads.add(load);
      }
      expr.operands().forEach(operand -> collect(operand, reads));
    }

    /**
     * A stage that reduces along one axis of the elements of a buffer, from the neutral value on.
     */
    private Optional<OverKeys> overKeys(LoopStage stage, BufferLoad elements, BinaryOp op) {
      Optional<Reduction> reduction = stage.reduction();
      Optional<Accumulation> accumulation = stage.accumulation();
      if (reduction.isEmpty()
          || accumulation.isEmpty()
          || !accumulation.get().start().equals(reduction.get().identity())
          || !reduction.get().ops().equals(List.of(op))
          || stage.serial().size() != 1) {
        return Optional.empty();
      }
      Substitution toPoint = new Substitution(stage.nest().point());
      PrimExpr element = toPoint.rewrite(reduction.get().elements().getFirst());
      Optional<Counters> counters = counters(stage, element, elements);
      if (counters.isEmpty()) {
        return Optional.empty();
      }
      Substitution common = new Substitution(counters.get().values());
      PrimExpr key = counters.get().values().get(stage.serial().getFirst().loopVar());
      return key != null
              && common.rewrite(accumulation.get().outputs().getFirst()) instanceof BufferLoad load
          ? Optional.of(new OverKeys(load, common.rewrite(element), key, counters.get().others()))
          : Optional.empty();
    }

    /** The element in which {@code exp(score - max)} is kept. */
    private Optional<BufferLoad> weight(BufferLoad product, BufferLoad max, Masked score) {
      LoopStage stage = stages.get(2);
      if (!stage.serial().isEmpty()
          || stage.nest().isReduction()
          || !stage.nest().realize().predicate().equals(IntImm.of(true))
          || !(stage.nest().block().body() instanceof BufferStore store)) {
        return Optional.empty();
      }
      Substitution toPoint = new Substitution(stage.nest().point());
      PrimExpr own = toPoint.rewrite(store.value());
      Optional<Counters> counters = counters(stage, own, product);
      if (counters.isEmpty() || !counters.get().others().isEmpty()) {
        return Optional.empty();
      }
      Substitution common = new Substitution(counters.get().values());
      Masked weight = Masked.of(common.rewrite(own), Exprs.constant(product.dtype(), 0));
      PrimExpr expected = Exprs.call(Intrinsic.EXP, new Binary(BinaryOp.SUB, score.value(), max));
      PrimExpr element =
          common.rewrite(toPoint.rewrite(new BufferLoad(store.buffer(), store.indices())));
      return weight.mask().equals(score.mask()) && weight.value().equals(expected)
          ? Optional.of((BufferLoad) element)
          : Optional.empty();
    }

    /** What a weight is multiplied by. */
    private static Optional<PrimExpr> otherFactor(PrimExpr part, BufferLoad weight) {
      if (!(part instanceof Binary product) || product.op() != BinaryOp.MUL) {
        return Optional.empty();
      }
      return product.a().equals(weight)
          ? Optional.of(product.b())
          : product.b().equals(weight) ? Optional.of(product.a()) : Optional.empty();
    }

    /**
     * What the last stage does with the quotient of both sums, if it uses them for nothing else.
     */
    private Optional<Stmt> store(BufferLoad weighted, BufferLoad sum, Var result) {
      Var above = new Var("weighted", weighted.dtype());
      return stages
          .get(5)
          .asEpilogue(weighted, above)
          .map(stmt -> replaced(new Binary(BinaryOp.DIV, above, sum), result).rewrite(stmt))
          .filter(
              stmt ->
                  stmt instanceof BufferStore store
                      && !Nest.uses(store.value(), above)
                      && !BufferUses.of(stmt).contains(sum.buffer()));
    }

    private static IrMutator replaced(PrimExpr what, PrimExpr by) {
      return new IrMutator() {
        @Override
        public PrimExpr rewrite(PrimExpr expr) {
          return expr.equals(what) ? by : super.rewrite(expr);
        }
      };
    }

    /** The counters at which an expression reads the only element that it reads of a buffer. */
    private Optional<Counters> counters(LoopStage stage, PrimExpr expr, BufferLoad element) {
      Set<BufferLoad> reads = new HashSet<>();
      collect(expr, reads);
      List<BufferLoad> own =
          reads.stream().filter(read -> read.buffer().equals(element.buffer())).toList();
      if (own.size() != 1) {
        return Optional.empty();
      }
      Map<Var, PrimExpr> values = new HashMap<>();
      for (int axis = 0; axis < element.indices().size(); axis++) {
        if (!(own.getFirst().indices().get(axis) instanceof Var theirs)
            || values.put(theirs, element.indices().get(axis)) != null) {
          return Optional.empty();
        }
      }
      int matched = 0;
      List<For> others = new ArrayList<>();
      for (For loop : stage.nest().loops()) {
        PrimExpr ours = values.get(loop.loopVar());
        if (ours == null) {
          others.add(loop);
        } else if (ours instanceof Var var && isAs(loop, loops.get(var))) {
          matched++;
        } else {
          return Optional.empty();
        }
      }
      return matched == values.size()
          ? Optional.of(new Counters(values, others))
          : Optional.empty();
    }

    private static boolean isAs(For loop, @Nullable For other) {
      return other != null
          && loop.extent().equals(other.extent())
          && loop.min().equals(IntImm.of(0))
          && other.min().equals(IntImm.of(0));
    }
  }
}
