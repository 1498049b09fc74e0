package org.relaxvm.backendsupport.gpu.rules;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.relaxvm.api.DType;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.ScheduleAnnotations;
import org.relaxvm.backendsupport.gpu.gemm.SkinnyGemmLaunch;
import org.relaxvm.backendsupport.gpu.loops.WorkGroups;
import org.relaxvm.tir.analysis.Contraction;
import org.relaxvm.tir.analysis.LoopStage;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.expr.PrimExpr;
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
 * Sums of products in tiles: a work-group computes a tile of the output, or columns of few rows.
 * Slices of both operands of a tile are brought to shared memory, each element once; each work-item
 * keeps a square of accumulators in registers.
 */
final class ContractionRule {
  /** Below so many rows or columns there is nothing to share. */
  private static final long FEW = 8;

  private final GpuLimits limits;

  ContractionRule(GpuLimits limits) {
    this.limits = limits;
  }

  /**
   * The launches of a GEMM.
   *
   * @param launches in order
   * @param stages how many they cover: 2 with a formula that is applied to the results
   */
  record Tiles(List<Stmt> launches, int stages) {}

  /**
   * The first of these stages as tiles.
   *
   * @param isTemporary whether nothing but these stages uses a buffer
   */
  Optional<Tiles> of(List<LoopStage> stages, Predicate<Buffer> isTemporary) {
    if (stages.isEmpty()) {
      return Optional.empty();
    }
    Optional<Contraction> found = stages.getFirst().contraction();
    if (found.isEmpty()) {
      return Optional.empty();
    }
    Contraction sum = found.get();
    Var result = new Var("result", sum.output().dtype());
    Optional<Stmt> epilogue = Optional.empty();
    if (stages.size() > 1 && isOnlyUse(stages, sum.output().buffer(), isTemporary)) {
      epilogue = stages.get(1).asEpilogue(sum.output(), result);
    }
    Stmt store =
        epilogue.orElseGet(
            () -> new BufferStore(sum.output().buffer(), result, sum.output().indices()));
    FloatGemm floatGemm = new FloatGemm(limits);
    Optional<SkinnyGemmLaunch> few = floatGemm.ofFewRows(sum, result, store);
    List<Stmt> launches = new ArrayList<>();
    if (few.isEmpty() || !few.get().when().equals(IntImm.of(true))) {
      launches.addAll(ofMany(sum, floatGemm, result, store));
      if (launches.isEmpty()) {
        return Optional.empty();
      }
    }
    if (few.isPresent()) {
      PrimExpr when = few.get().when();
      launches.replaceAll(launch -> WorkGroups.when(Exprs.not(when), launch));
      launches.addFirst(WorkGroups.when(when, few.get().launch()));
    }
    return Optional.of(new Tiles(launches, epilogue.isPresent() ? 2 : 1));
  }

  /** The launches for enough rows and columns to share something. */
  private List<Stmt> ofMany(Contraction sum, FloatGemm floatGemm, Var result, Stmt store) {
    if (sum.rows().isEmpty() || isFew(sum.rows()) || isFew(sum.columns())) {
      return List.of();
    }
    List<Stmt> launches = floatGemm.of(sum, result, store);
    return launches.isEmpty()
        ? TileShape.of(sum, limits)
            .map(shape -> List.of(new Tile(sum, shape, result, store).launch()))
            .orElse(List.of())
        : launches;
  }

  private static boolean isFew(List<For> loops) {
    return WorkGroups.extent(loops) instanceof IntImm known && known.value() < FEW;
  }

  private static boolean isOnlyUse(
      List<LoopStage> stages, Buffer buffer, Predicate<Buffer> isTemporary) {
    return isTemporary.test(buffer)
        && stages.stream().skip(2).noneMatch(stage -> RowRule.reads(stage.nest(), buffer));
  }

  /** Makes the launch. */
  private static final class Tile {
    private final Contraction sum;
    private final TileShape shape;
    private final Var result;
    private final Stmt store;
    private final DType dtype;
    private final PrimExpr rowCount;
    private final PrimExpr columnCount;
    private final Var rowWorkGroup = Var.index("row_group");
    private final Var columnWorkGroup = Var.index("column_group");
    private final Var slice = Var.index("slice");
    private final Buffer rowTile;
    private final Buffer columnTile;
    private final Buffer accumulators;

    Tile(Contraction sum, TileShape shape, Var result, Stmt store) {
      this.sum = sum;
      this.shape = shape;
      this.result = result;
      this.store = store;
      this.dtype = sum.output().dtype();
      this.rowCount = WorkGroups.extent(sum.rows());
      this.columnCount = WorkGroups.extent(sum.columns());
      this.rowTile = shared("row_tile", shape.rows());
      this.columnTile = shared("column_tile", shape.columns());
      this.accumulators =
          Buffer.of(
              "sums",
              dtype,
              List.of(
                  IntImm.of(shape.items()),
                  IntImm.of(shape.rowsEach()),
                  IntImm.of(shape.columnsEach())),
              MemoryScope.LOCAL);
    }

    private Buffer shared(String name, int extent) {
      return Buffer.of(
          name, dtype, List.of(IntImm.of(shape.depth()), IntImm.of(extent)), MemoryScope.SHARED);
    }

    Stmt launch() {
      OperandTile rows = slice(rowTile, shape.rows(), rowWorkGroup, sum.rows(), sum.rowValue());
      OperandTile columns =
          slice(columnTile, shape.columns(), columnWorkGroup, sum.columns(), sum.columnValue());
      Stmt slices =
          For.serial(
              slice,
              WorkGroups.parts(WorkGroups.extent(sum.stage().serial()), shape.depth()),
              new Seq(
                  List.of(
                      WorkGroups.phase(
                          shape.items(),
                          item ->
                              new Seq(
                                  List.of(
                                      rows.bring(item, shape.items()),
                                      columns.bring(item, shape.items())))),
                      WorkGroups.phase(shape.items(), this::multiply))));
      Stmt tile =
          new Seq(
              List.of(
                  WorkGroups.phase(
                      shape.items(),
                      item ->
                          each(
                              (r, c) ->
                                  new BufferStore(
                                      accumulators,
                                      Exprs.constant(dtype, 0),
                                      List.of(item, r, c)))),
                  slices,
                  WorkGroups.phase(shape.items(), this::finish)));
      Stmt body = WorkGroups.memory(List.of(rowTile, columnTile, accumulators), tile);
      Var batch = Var.index("batch");
      body = new Substitution(WorkGroups.counters(sum.batch(), batch)).rewrite(body);
      body =
          WorkGroups.grid(
              ThreadAxis.BLOCK_X,
              columnWorkGroup,
              WorkGroups.parts(columnCount, shape.columns()),
              body);
      body =
          WorkGroups.grid(
              ThreadAxis.BLOCK_Y, rowWorkGroup, WorkGroups.parts(rowCount, shape.rows()), body);
      return WorkGroups.grid(ThreadAxis.BLOCK_Z, batch, WorkGroups.extent(sum.batch()), body);
    }

    /** Slices of both operands: depth first, then rows or columns. */
    private OperandTile slice(
        Buffer tile, int extent, Var workGroup, List<For> along, PrimExpr value) {
      return new OperandTile(
          tile,
          shape.depth(),
          extent,
          value,
          along,
          Exprs.mul(workGroup, extent),
          sum.stage().serial(),
          Exprs.mul(slice, shape.depth()));
    }

    private Stmt multiply(Var item) {
      Var k = Var.index("k");
      Stmt body =
          each(
              (r, c) -> {
                List<PrimExpr> at = List.of(item, r, c);
                PrimExpr product =
                    Exprs.mul(rowTile.load(k, row(item, r)), columnTile.load(k, column(item, c)));
                return new BufferStore(accumulators, Exprs.add(accumulators.load(at), product), at);
              });
      return new For(
          k,
          IntImm.of(0),
          IntImm.of(shape.depth()),
          ForKind.SERIAL,
          Optional.empty(),
          body,
          Map.of(ScheduleAnnotations.CONTRACT, true));
    }

    private Stmt finish(Var item) {
      return each(
          (r, c) -> {
            Var row = Var.index("row");
            Var column = Var.index("column");
            Map<Var, PrimExpr> counters = new HashMap<>(WorkGroups.counters(sum.rows(), row));
            counters.putAll(WorkGroups.counters(sum.columns(), column));
            PrimExpr value = Exprs.add(sum.start(), accumulators.load(List.of(item, r, c)));
            Stmt body = new Substitution(counters).rewrite((Stmt) new Let(result, value, store));
            PrimExpr inside = Exprs.and(Exprs.lt(row, rowCount), Exprs.lt(column, columnCount));
            body = WorkGroups.guarded(inside, body);
            body =
                new Let(
                    column,
                    Exprs.add(Exprs.mul(columnWorkGroup, shape.columns()), column(item, c)),
                    body);
            return new Let(
                row, Exprs.add(Exprs.mul(rowWorkGroup, shape.rows()), row(item, r)), body);
          });
    }

    private PrimExpr row(Var item, PrimExpr number) {
      return Exprs.add(
          Exprs.floorDiv(item, shape.columnItems()), Exprs.mul(number, shape.rowItems()));
    }

    private PrimExpr column(Var item, PrimExpr number) {
      return Exprs.add(
          Exprs.floorMod(item, shape.columnItems()), Exprs.mul(number, shape.columnItems()));
    }

    /** Something for each sum of a work-item, written out. */
    private Stmt each(BiFunction<PrimExpr, PrimExpr, Stmt> body) {
      Var r = Var.index("r");
      Var c = Var.index("c");
      return For.of(
          ForKind.UNROLLED,
          r,
          IntImm.of(shape.rowsEach()),
          For.of(ForKind.UNROLLED, c, IntImm.of(shape.columnsEach()), body.apply(r, c)));
    }
  }
}
