package org.relaxvm.backendsupport.gpu.gemm;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.api.DType;
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
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;

/**
 * Each work-item keeps {@value #EACH} by {@value #EACH} accumulators in registers: of runs of
 * {@value #RUN} rows and columns, so that elements of operands are read in vectors. Runs of
 * neighbouring work-items are adjacent.
 */
final class RegisterAccumulators implements Accumulators {
  /** Rows and columns of a work-item. */
  static final int EACH = 8;

  /** Adjacent rows or columns. */
  static final int RUN = 4;

  /** The most work-items of a work-group. */
  static final int MOST_ITEMS = 256;

  /** Registers that the accumulators and their operands need. */
  static final int REGISTERS = 128;

  private static final int RUNS = EACH / RUN;

  private final int depth;
  private final int rowItems;
  private final int columnItems;
  private final Buffer accumulators;

  RegisterAccumulators(BlockShape shape) {
    this.depth = shape.depth();
    this.rowItems = shape.rows() / EACH;
    this.columnItems = shape.columns() / EACH;
    this.accumulators =
        Buffer.of(
            "sums",
            DType.FLOAT32,
            List.of(IntImm.of(items()), IntImm.of(EACH), IntImm.of(EACH)),
            MemoryScope.LOCAL);
  }

  @Override
  public int items() {
    return rowItems * columnItems;
  }

  /**
   * Two where they are large: they take half of the registers that GPUs have, and with one alone
   * nothing would run while it waits. Small ones are few, whatever there is room for.
   */
  @Override
  public int workGroupsAtOnce() {
    return items() == MOST_ITEMS ? 2 : 1;
  }

  @Override
  public Buffer memory() {
    return accumulators;
  }

  @Override
  public Stmt each(Var item, Body body) {
    Var r = Var.index("r");
    Var c = Var.index("c");
    PrimExpr column = Exprs.add(columnRun(item, Exprs.floorDiv(c, RUN)), Exprs.floorMod(c, RUN));
    return For.of(
        ForKind.UNROLLED,
        r,
        IntImm.of(EACH),
        For.of(
            ForKind.UNROLLED,
            c,
            IntImm.of(EACH),
            body.of(row(item, r), column, List.of(item, r, c))));
  }

  @Override
  public int run() {
    return RUN;
  }

  @Override
  public Stmt runs(Var item, Body body) {
    Var r = Var.index("r");
    Var run = Var.index("run");
    Stmt stmt = body.of(row(item, r), columnRun(item, run), List.of(item, r, Exprs.mul(run, RUN)));
    stmt = For.of(ForKind.UNROLLED, run, IntImm.of(RUNS), stmt);
    return For.of(ForKind.UNROLLED, r, IntImm.of(EACH), stmt);
  }

  /** The row of an accumulator. */
  private PrimExpr row(Var item, Var r) {
    return Exprs.add(rowRun(item, Exprs.floorDiv(r, RUN)), Exprs.floorMod(r, RUN));
  }

  /** The first row of a run. */
  private PrimExpr rowRun(Var item, PrimExpr run) {
    return Exprs.add(
        Exprs.mul(run, (long) rowItems * RUN), Exprs.mul(Exprs.floorDiv(item, columnItems), RUN));
  }

  private PrimExpr columnRun(Var item, PrimExpr run) {
    return Exprs.add(
        Exprs.mul(run, (long) columnItems * RUN),
        Exprs.mul(Exprs.floorMod(item, columnItems), RUN));
  }

  @Override
  public Stmt multiply(Var item, PrimExpr slot, OperandSlots rows, OperandSlots columns) {
    Var k = Var.index("k");
    List<Buffer> rowRuns = new ArrayList<>();
    List<Buffer> columnRuns = new ArrayList<>();
    List<Stmt> statements = new ArrayList<>();
    for (int run = 0; run < RUNS; run++) {
      PrimExpr number = IntImm.of(run);
      rowRuns.add(run("rows_" + run));
      statements.add(read(rowRuns.getLast(), rows, slot, k, rowRun(item, number)));
      columnRuns.add(run("columns_" + run));
      statements.add(read(columnRuns.getLast(), columns, slot, k, columnRun(item, number)));
    }
    for (int i = 0; i < RUNS; i++) {
      for (int j = 0; j < RUNS; j++) {
        statements.add(add(item, rowRuns.get(i), i * RUN, columnRuns.get(j), j * RUN));
      }
    }
    List<Buffer> runs = new ArrayList<>(rowRuns);
    runs.addAll(columnRuns);
    return new For(
        k,
        IntImm.of(0),
        IntImm.of(depth),
        ForKind.UNROLLED,
        Optional.empty(),
        WorkGroups.memory(runs, new Seq(statements)),
        Map.of(ScheduleAnnotations.CONTRACT, true));
  }

  private static Buffer run(String name) {
    return Buffer.of(name, DType.FLOAT32, List.of(IntImm.of(RUN)), MemoryScope.LOCAL);
  }

  private static Stmt read(
      Buffer run, OperandSlots operand, PrimExpr slot, PrimExpr k, PrimExpr from) {
    Var lane = Var.index("lane");
    Stmt copy = new BufferStore(run, operand.at(slot, k, Exprs.add(from, lane)), List.of(lane));
    return For.of(ForKind.VECTORIZED, lane, IntImm.of(RUN), copy);
  }

  private Stmt add(Var item, Buffer rows, int firstRow, Buffer columns, int firstColumn) {
    Var r = Var.index("r");
    Var c = Var.index("c");
    List<PrimExpr> at = List.of(item, Exprs.add(r, firstRow), Exprs.add(c, firstColumn));
    PrimExpr product = Exprs.mul(rows.load(r), columns.load(c));
    Stmt update = new BufferStore(accumulators, Exprs.add(accumulators.load(at), product), at);
    return For.of(
        ForKind.UNROLLED, r, IntImm.of(RUN), For.of(ForKind.UNROLLED, c, IntImm.of(RUN), update));
  }
}
