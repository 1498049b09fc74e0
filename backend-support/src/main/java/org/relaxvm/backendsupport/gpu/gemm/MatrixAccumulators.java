package org.relaxvm.backendsupport.gpu.gemm;

import java.util.List;
import java.util.Map;
import org.relaxvm.api.DType;
import org.relaxvm.backendsupport.gpu.MatrixUnit;
import org.relaxvm.backendsupport.gpu.ScheduleAnnotations;
import org.relaxvm.backendsupport.gpu.loops.WorkGroups;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.ForKind;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.Stmt;

/**
 * Subgroups keep the accumulators of tiles that tensor cores work on, each work-item those that
 * {@link MatrixUnit} says.
 */
final class MatrixAccumulators implements Accumulators {
  /** Subgroups of a work-group. */
  private static final int SUBGROUPS = 4;

  /** Work-items of a work-group. */
  static final int ITEMS = SUBGROUPS * MatrixUnit.LANES;

  /** From so many rows on there are two subgroups along them. */
  private static final int MANY_ROWS = 64;

  /** Accumulators of adjacent columns, as {@link MatrixUnit} says. */
  private static final int RUN = 2;

  private final int depth;
  private final int columnSubgroups;
  private final int rowTiles;
  private final int columnTiles;
  private final Buffer accumulators;

  MatrixAccumulators(BlockShape shape) {
    int rowSubgroups = shape.rows() >= MANY_ROWS ? 2 : 1;
    this.depth = shape.depth();
    this.columnSubgroups = SUBGROUPS / rowSubgroups;
    this.rowTiles = shape.rows() / rowSubgroups / MatrixUnit.ROWS;
    this.columnTiles = shape.columns() / columnSubgroups / MatrixUnit.COLUMNS;
    this.accumulators =
        Buffer.of(
            "sums",
            DType.FLOAT32,
            List.of(
                IntImm.of(ITEMS),
                IntImm.of(rowTiles),
                IntImm.of(columnTiles),
                IntImm.of(MatrixUnit.ACCUMULATORS)),
            MemoryScope.LOCAL);
  }

  @Override
  public int items() {
    return ITEMS;
  }

  @Override
  public int workGroupsAtOnce() {
    return 1;
  }

  @Override
  public Buffer memory() {
    return accumulators;
  }

  @Override
  public Stmt each(Var item, Body body) {
    return tiles(item, ForKind.UNROLLED, 1, body);
  }

  @Override
  public int run() {
    return RUN;
  }

  @Override
  public Stmt runs(Var item, Body body) {
    return tiles(item, ForKind.UNROLLED, RUN, body);
  }

  /** Something for some accumulators of a work-item: one of {@code run} that follow each other. */
  private Stmt tiles(Var item, ForKind kind, int run, Body body) {
    Var lane = Var.index("lane");
    Var i = Var.index("row_tile");
    Var j = Var.index("column_tile");
    Var iteration = Var.index("e");
    PrimExpr e = Exprs.mul(iteration, run);
    PrimExpr row =
        Exprs.add(
            Exprs.add(rowFrom(item), Exprs.mul(i, MatrixUnit.ROWS)),
            Exprs.add(
                Exprs.floorDiv(lane, 4), Exprs.mul(Exprs.floorDiv(e, 2), MatrixUnit.ROWS / 2)));
    PrimExpr column =
        Exprs.add(
            Exprs.add(columnFrom(item), Exprs.mul(j, MatrixUnit.COLUMNS)),
            Exprs.add(Exprs.mul(Exprs.floorMod(lane, 4), 2), Exprs.floorMod(e, 2)));
    Stmt stmt = body.of(row, column, List.of(item, i, j, e));
    stmt = For.of(kind, iteration, IntImm.of(MatrixUnit.ACCUMULATORS / run), stmt);
    stmt = For.of(kind, j, IntImm.of(columnTiles), stmt);
    stmt = For.of(kind, i, IntImm.of(rowTiles), stmt);
    return new Let(lane, Exprs.floorMod(item, MatrixUnit.LANES), stmt);
  }

  /** The first row of a work-item's subgroup. */
  private PrimExpr rowFrom(Var item) {
    return Exprs.mul(
        Exprs.floorDiv(item, MatrixUnit.LANES * columnSubgroups),
        (long) rowTiles * MatrixUnit.ROWS);
  }

  private PrimExpr columnFrom(Var item) {
    return Exprs.mul(
        Exprs.floorMod(Exprs.floorDiv(item, MatrixUnit.LANES), columnSubgroups),
        (long) columnTiles * MatrixUnit.COLUMNS);
  }

  @Override
  public Stmt multiply(Var item, PrimExpr slot, OperandSlots rows, OperandSlots columns) {
    Var step = Var.index("step");
    int each = MatrixUnit.depth(rows.memory().dtype());
    Stmt multiply =
        tiles(
            item,
            ForKind.SERIAL,
            1,
            (row, column, sum) -> {
              Var k = Var.index("k");
              PrimExpr inDepth = Exprs.add(Exprs.mul(step, each), k);
              PrimExpr product =
                  Exprs.mul(
                      Exprs.cast(DType.FLOAT32, rows.at(slot, inDepth, row)),
                      Exprs.cast(DType.FLOAT32, columns.at(slot, inDepth, column)));
              Stmt update =
                  new BufferStore(accumulators, Exprs.add(accumulators.load(sum), product), sum);
              return For.serial(k, IntImm.of(each), update);
            });
    return For.of(
        ForKind.UNROLLED,
        step,
        IntImm.of(depth / each),
        WorkGroups.annotated(
            List.of(), Map.of(ScheduleAnnotations.MATRIX_PRODUCT, true), multiply));
  }
}
