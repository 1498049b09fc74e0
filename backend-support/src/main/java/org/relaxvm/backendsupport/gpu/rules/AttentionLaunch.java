package org.relaxvm.backendsupport.gpu.rules;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.relaxvm.api.DType;
import org.relaxvm.backendsupport.gpu.ScheduleAnnotations;
import org.relaxvm.backendsupport.gpu.loops.WorkGroups;
import org.relaxvm.tir.analysis.Attention;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Reducer;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.ForKind;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.stmt.ThreadAxis;

/**
 * The launch of {@link AttentionRule}: a work-group has some rows of queries and goes through the
 * keys block by block. In each block it makes scores, finds the largest one of each row so far,
 * makes what it has relative to it, and adds weights and weighted values.
 */
final class AttentionLaunch {
  /** The weight of a key that its row does not see; all others are positive, 0 or NaN. */
  private static final double UNSEEN = -1;

  private final Attention parts;
  private final AttentionShape shape;
  private final DType dtype;
  private final Var rowWorkGroup = Var.index("row_group");
  private final Var block = Var.index("block");
  private final Buffer rowTile;
  private final Buffer tile;
  private final Buffer weights;
  private final Buffer shares;
  private final Buffer largest;
  private final Buffer scale;
  private final Buffer sum;
  private final Buffer scores;
  private final Buffer weighted;

  AttentionLaunch(Attention parts, AttentionShape shape) {
    this.parts = parts;
    this.shape = shape;
    this.dtype = parts.product().dtype();
    this.rowTile = array(MemoryScope.SHARED, "row_tile", shape.depth(), shape.rows());
    this.tile =
        array(MemoryScope.SHARED, "tile", shape.depth() * Math.max(shape.keys(), shape.columns()));
    // A column more, so that neighbours along both axes lie in different banks.
    this.weights = array(MemoryScope.SHARED, "weights", shape.rows(), shape.keys() + 1);
    this.shares = array(MemoryScope.SHARED, "shares", shape.rows(), shape.side());
    this.largest = array(MemoryScope.SHARED, "largest", shape.rows());
    this.scale = array(MemoryScope.SHARED, "scale", shape.rows());
    this.sum = array(MemoryScope.SHARED, "sum", shape.rows());
    this.scores =
        array(MemoryScope.LOCAL, "scores", shape.items(), shape.rowsEach(), shape.keysEach());
    this.weighted =
        array(MemoryScope.LOCAL, "weighted", shape.items(), shape.rowsEach(), shape.columnsEach());
  }

  private Buffer array(MemoryScope scope, String name, int... extents) {
    List<PrimExpr> sizes = new ArrayList<>();
    for (int extent : extents) {
      sizes.add(IntImm.of(extent));
    }
    return Buffer.of(name, dtype, sizes, scope);
  }

  private PrimExpr zero() {
    return Exprs.constant(dtype, 0);
  }

  /** All of it. */
  Stmt launch() {
    KeyRange range = KeyRange.of(parts, rowWorkGroup, shape);
    Stmt blocks =
        new For(
            block,
            range.firstBlock(),
            range.blocks(),
            ForKind.SERIAL,
            Optional.empty(),
            new Seq(
                List.of(
                    phase(item -> fill(scores, item, shape.keysEach())),
                    computeScores(),
                    phase(this::score),
                    phase(this::rescale),
                    phase(this::weigh),
                    phase(this::add),
                    values())),
            Map.of());
    Stmt all =
        new Seq(
            List.of(
                phase(
                    item ->
                        new Seq(
                            List.of(
                                fill(weighted, item, shape.columnsEach()),
                                eachRow(
                                    item,
                                    row ->
                                        new Seq(
                                            List.of(
                                                new BufferStore(
                                                    largest, Reducer.lowest(dtype), List.of(row)),
                                                new BufferStore(sum, zero(), List.of(row)))))))),
                blocks,
                phase(this::finish)));
    Stmt body =
        WorkGroups.memory(
            List.of(rowTile, tile, weights, shares, largest, scale, sum, scores, weighted), all);
    Var batch = Var.index("batch");
    body = new Substitution(WorkGroups.counters(parts.batch(), batch)).rewrite(body);
    body =
        WorkGroups.grid(
            ThreadAxis.BLOCK_X,
            rowWorkGroup,
            WorkGroups.parts(WorkGroups.extent(parts.rows()), shape.rows()),
            body);
    return WorkGroups.grid(ThreadAxis.BLOCK_Z, batch, WorkGroups.extent(parts.batch()), body);
  }

  private Stmt phase(Function<Var, Stmt> body) {
    return WorkGroups.phase(shape.items(), body);
  }

  private Stmt fill(Buffer accumulators, Var item, int columns) {
    return each(columns, (r, c) -> new BufferStore(accumulators, zero(), List.of(item, r, c)));
  }

  /** The scores of the rows and the keys of the block. */
  private Stmt computeScores() {
    Var slice = Var.index("slice");
    PrimExpr from = Exprs.mul(slice, shape.depth());
    OperandTile queries =
        new OperandTile(
            rowTile,
            shape.depth(),
            shape.rows(),
            parts.query(),
            parts.rows(),
            firstRow(),
            parts.depth(),
            from);
    OperandTile keys =
        new OperandTile(
            tile,
            shape.depth(),
            shape.keys(),
            parts.key(),
            List.of(parts.keys()),
            firstKey(),
            parts.depth(),
            from);
    int items = shape.items();
    return For.serial(
        slice,
        WorkGroups.parts(WorkGroups.extent(parts.depth()), shape.depth()),
        new Seq(
            List.of(
                phase(
                    item -> new Seq(List.of(queries.bring(item, items), keys.bring(item, items)))),
                phase(
                    item ->
                        contract(
                            k ->
                                each(
                                    shape.keysEach(),
                                    (r, c) ->
                                        addTo(
                                            scores,
                                            List.of(item, r, c),
                                            Exprs.mul(
                                                queries.at(k, row(item, r)),
                                                keys.at(k, column(item, c))))))))));
  }

  /** The scores, -inf where a row does not see a key, and the largest ones of each work-item. */
  private Stmt score(Var item) {
    Buffer best = register("best");
    return WorkGroups.memory(
        List.of(best),
        each(
            shape.rowsEach(),
            r -> {
              Stmt all =
                  each(
                      shape.keysEach(),
                      c -> {
                        List<PrimExpr> at = List.of(item, r, c);
                        PrimExpr score =
                            Substitution.in(
                                parts.score(),
                                Map.of(parts.product(), Exprs.add(parts.start(), scores.load(at))));
                        return atKey(
                            item,
                            r,
                            c,
                            seen ->
                                new Seq(
                                    List.of(
                                        new BufferStore(
                                            scores,
                                            Exprs.ifThenElse(seen, score, Reducer.lowest(dtype)),
                                            at),
                                        set(best, Exprs.max(get(best), scores.load(at))))));
                      });
              return new Seq(
                  List.of(set(best, Reducer.lowest(dtype)), all, share(item, r, get(best))));
            }));
  }

  /** The largest score of each row so far, and what makes all up to now relative to it. */
  private Stmt rescale(Var item) {
    Buffer best = register("best");
    return WorkGroups.memory(
        List.of(best),
        eachRow(
            item,
            row -> {
              Var before = new Var("before", dtype);
              Var now = new Var("now", dtype);
              // Without a score above -inf so far there is nothing to make smaller.
              PrimExpr factor =
                  Exprs.select(
                      Exprs.eq(before, now),
                      Exprs.constant(dtype, 1),
                      Exprs.call(Intrinsic.EXP, Exprs.sub(before, now)));
              Stmt keep =
                  new Let(
                      now,
                      get(best),
                      new Seq(
                          List.of(
                              new BufferStore(scale, factor, List.of(row)),
                              new BufferStore(largest, now, List.of(row)))));
              return new Let(
                  before,
                  largest.load(row),
                  new Seq(
                      List.of(
                          set(best, before),
                          eachShare(row, share -> set(best, Exprs.max(get(best), share))),
                          keep)));
            }));
  }

  /** The weights of the block, their sums of each work-item, and smaller sums of values. */
  private Stmt weigh(Var item) {
    Buffer total = register("total");
    return WorkGroups.memory(
        List.of(total),
        each(
            shape.rowsEach(),
            r -> {
              PrimExpr row = row(item, r);
              Stmt all =
                  each(
                      shape.keysEach(),
                      c -> {
                        Var weight = new Var("weight", dtype);
                        PrimExpr score = scores.load(item, r, c);
                        PrimExpr power =
                            Exprs.call(Intrinsic.EXP, Exprs.sub(score, largest.load(row)));
                        // Not NaN where all scores so far are -inf: a larger one may come.
                        PrimExpr known =
                            Exprs.select(Exprs.eq(score, Reducer.lowest(dtype)), zero(), power);
                        PrimExpr unseen =
                            Exprs.constant(dtype, parts.mask().isPresent() ? UNSEEN : 0);
                        PrimExpr counted =
                            parts.mask().isPresent()
                                ? Exprs.select(Exprs.lt(weight, zero()), zero(), weight)
                                : weight;
                        Stmt store =
                            new Seq(
                                List.of(
                                    new BufferStore(weights, weight, List.of(row, column(item, c))),
                                    set(total, Exprs.add(get(total), counted))));
                        return atKey(
                            item,
                            r,
                            c,
                            seen -> new Let(weight, Exprs.ifThenElse(seen, known, unseen), store));
                      });
              Stmt smaller =
                  each(
                      shape.columnsEach(),
                      c -> {
                        List<PrimExpr> at = List.of(item, r, c);
                        return new BufferStore(
                            weighted, Exprs.mul(weighted.load(at), scale.load(row)), at);
                      });
              return new Seq(List.of(set(total, zero()), all, share(item, r, get(total)), smaller));
            }));
  }

  /** The sum of the weights of each row so far. */
  private Stmt add(Var item) {
    Buffer total = register("total");
    return WorkGroups.memory(
        List.of(total),
        eachRow(
            item,
            row ->
                new Seq(
                    List.of(
                        set(total, Exprs.mul(sum.load(row), scale.load(row))),
                        eachShare(row, share -> set(total, Exprs.add(get(total), share))),
                        new BufferStore(sum, get(total), List.of(row))))));
  }

  /** Adds the values of the block times their weights. */
  private Stmt values() {
    Var slice = Var.index("slice");
    PrimExpr inBlock = Exprs.mul(slice, shape.depth());
    OperandTile values =
        new OperandTile(
            tile,
            shape.depth(),
            shape.columns(),
            parts.value(),
            parts.columns(),
            IntImm.of(0),
            List.of(parts.keys()),
            Exprs.add(firstKey(), inBlock));
    return For.serial(
        slice,
        IntImm.of(shape.keys() / shape.depth()),
        new Seq(
            List.of(
                phase(item -> values.bring(item, shape.items())),
                phase(
                    item ->
                        contract(
                            k ->
                                each(
                                    shape.columnsEach(),
                                    (r, c) ->
                                        weightedValue(
                                            weights.load(row(item, r), Exprs.add(inBlock, k)),
                                            values.at(k, column(item, c)),
                                            List.of(item, r, c))))))));
  }

  /** A value that is not finite would count in spite of a weight of 0. */
  private Stmt weightedValue(PrimExpr weight, PrimExpr value, List<PrimExpr> at) {
    PrimExpr now = weighted.load(at);
    PrimExpr next = Exprs.add(now, Exprs.mul(weight, value));
    return new BufferStore(
        weighted,
        parts.mask().isPresent() ? Exprs.select(Exprs.lt(weight, zero()), now, next) : next,
        at);
  }

  /** Where all scores are -inf, or there are none, this is 0 / 0: NaN, as the weights would be. */
  private Stmt finish(Var item) {
    return each(
        shape.columnsEach(),
        (r, c) -> {
          Var row = Var.index("row");
          Var at = Var.index("column");
          Map<Var, PrimExpr> counters = new HashMap<>(WorkGroups.counters(parts.rows(), row));
          counters.putAll(WorkGroups.counters(parts.columns(), at));
          PrimExpr mean =
              new Binary(BinaryOp.DIV, weighted.load(List.of(item, r, c)), sum.load(row(item, r)));
          Stmt body =
              new Substitution(counters)
                  .rewrite((Stmt) new Let(parts.result(), mean, parts.store()));
          PrimExpr inside =
              Exprs.and(
                  Exprs.lt(row, WorkGroups.extent(parts.rows())),
                  Exprs.lt(at, WorkGroups.extent(parts.columns())));
          body = new Let(at, column(item, c), WorkGroups.guarded(inside, body));
          return new Let(row, Exprs.add(firstRow(), row(item, r)), body);
        });
  }

  /** Something at a row and a key, given whether there are both and the row sees the key. */
  private Stmt atKey(Var item, PrimExpr r, PrimExpr c, Function<PrimExpr, Stmt> body) {
    Var row = Var.index("row");
    Var key = Var.index("key");
    PrimExpr inside =
        Exprs.and(
            Exprs.lt(row, WorkGroups.extent(parts.rows())), Exprs.lt(key, parts.keys().extent()));
    PrimExpr seen = parts.mask().map(mask -> Exprs.and(inside, mask)).orElse(inside);
    Map<Var, PrimExpr> counters = new HashMap<>(WorkGroups.counters(parts.rows(), row));
    counters.put(parts.keys().loopVar(), key);
    Stmt stmt = new Substitution(counters).rewrite(body.apply(seen));
    stmt = new Let(key, Exprs.add(firstKey(), column(item, c)), stmt);
    return new Let(row, Exprs.add(firstRow(), row(item, r)), stmt);
  }

  private PrimExpr firstRow() {
    return Exprs.mul(rowWorkGroup, shape.rows());
  }

  private PrimExpr firstKey() {
    return Exprs.mul(block, shape.keys());
  }

  private PrimExpr row(Var item, PrimExpr number) {
    return Exprs.add(Exprs.floorDiv(item, shape.side()), Exprs.mul(number, shape.side()));
  }

  private PrimExpr column(Var item, PrimExpr number) {
    return Exprs.add(Exprs.floorMod(item, shape.side()), Exprs.mul(number, shape.side()));
  }

  /**
   * Something for each row of the work-group, by one work-item for each as far as there are enough.
   */
  private Stmt eachRow(Var item, Function<Var, Stmt> body) {
    Var row = Var.index("row");
    Var iteration = Var.index("turn");
    Stmt stmt = WorkGroups.guarded(Exprs.lt(row, IntImm.of(shape.rows())), body.apply(row));
    return For.serial(
        iteration,
        WorkGroups.parts(IntImm.of(shape.rows()), shape.items()),
        new Let(row, Exprs.add(Exprs.mul(iteration, shape.items()), item), stmt));
  }

  private Stmt eachShare(Var row, Function<PrimExpr, Stmt> body) {
    Var number = Var.index("share");
    return For.serial(number, IntImm.of(shape.side()), body.apply(shares.load(row, number)));
  }

  private Stmt share(Var item, PrimExpr r, PrimExpr value) {
    return new BufferStore(
        shares, value, List.of(row(item, r), Exprs.floorMod(item, shape.side())));
  }

  /** Something for each step of a sum of products. */
  private Stmt contract(Function<Var, Stmt> body) {
    Var k = Var.index("k");
    return new For(
        k,
        IntImm.of(0),
        IntImm.of(shape.depth()),
        ForKind.SERIAL,
        Optional.empty(),
        body.apply(k),
        Map.of(ScheduleAnnotations.CONTRACT, true));
  }

  private Stmt each(int columns, BiFunction<PrimExpr, PrimExpr, Stmt> body) {
    return each(shape.rowsEach(), r -> each(columns, c -> body.apply(r, c)));
  }

  /** Something so many times, written out. */
  private static Stmt each(int times, Function<PrimExpr, Stmt> body) {
    Var number = Var.index("n");
    return For.of(ForKind.UNROLLED, number, IntImm.of(times), body.apply(number));
  }

  private static Stmt addTo(Buffer accumulators, List<PrimExpr> at, PrimExpr value) {
    return new BufferStore(accumulators, Exprs.add(accumulators.load(at), value), at);
  }

  private Buffer register(String name) {
    return array(MemoryScope.LOCAL, name, 1);
  }

  private static PrimExpr get(Buffer register) {
    return register.load(IntImm.of(0));
  }

  private static Stmt set(Buffer register, PrimExpr value) {
    return new BufferStore(register, value, List.of(IntImm.of(0)));
  }
}
