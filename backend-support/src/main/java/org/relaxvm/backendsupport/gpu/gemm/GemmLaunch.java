package org.relaxvm.backendsupport.gpu.gemm;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.backendsupport.gpu.ScheduleAnnotations;
import org.relaxvm.backendsupport.gpu.loops.WorkGroups;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.ForKind;
import org.relaxvm.tir.stmt.IfThenElse;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.Seq;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.stmt.ThreadAxis;

/**
 * A launch whose work-groups compute a block of the results each. Slices of the operands come to
 * shared memory while earlier ones are multiplied: a phase has both, as they are in different
 * slots, and what is brought in one phase is used in a later one.
 */
final class GemmLaunch {
  private final Gemm gemm;
  private final BlockShape shape;
  private final Accumulators accumulators;
  private final Var batch = Var.index("batch");
  private final Var rowWorkGroup = Var.index("row_group");
  private final Var columnWorkGroup = Var.index("column_group");
  private final Var slice = Var.index("slice");
  private final PrimExpr slices;
  private final OperandSlots rows;
  private final OperandSlots columns;

  private GemmLaunch(Gemm gemm, BlockShape shape, Accumulators accumulators, boolean asInMemory) {
    this.gemm = gemm;
    this.shape = shape;
    this.accumulators = accumulators;
    this.slices = WorkGroups.parts(gemm.depth(), shape.depth());
    this.rows =
        new OperandSlots(
            "row_slices",
            gemm.rowOperand(),
            gemm.rows(),
            gemm.depth(),
            batch,
            shape.rows(),
            shape,
            asInMemory);
    this.columns =
        new OperandSlots(
            "column_slices",
            gemm.columnOperand(),
            gemm.columns(),
            gemm.depth(),
            batch,
            shape.columns(),
            shape,
            asInMemory);
  }

  /**
   * A launch.
   *
   * @param onMatrixUnit whether a tensor core multiplies
   */
  static Stmt of(Gemm gemm, BlockShape shape, boolean onMatrixUnit) {
    Accumulators accumulators =
        onMatrixUnit ? new MatrixAccumulators(shape) : new RegisterAccumulators(shape);
    return new GemmLaunch(gemm, shape, accumulators, onMatrixUnit).launch();
  }

  private Stmt launch() {
    Stmt block =
        new Seq(
            List.of(
                WorkGroups.phase(accumulators.items(), this::start),
                For.serial(
                    slice,
                    slices,
                    inFlight(WorkGroups.phase(accumulators.items(), this::iteration))),
                WorkGroups.phase(accumulators.items(), this::finish)));
    Stmt body =
        WorkGroups.annotated(
            List.of(rows.memory(), columns.memory(), accumulators.memory()),
            Map.of(
                ScheduleAnnotations.STORED,
                true,
                ScheduleAnnotations.WORK_GROUPS_AT_ONCE,
                (long) accumulators.workGroupsAtOnce()),
            block);
    PrimExpr rowWorkGroups = WorkGroups.parts(gemm.rows(), shape.rows());
    PrimExpr columnWorkGroups = WorkGroups.parts(gemm.columns(), shape.columns());
    body = WorkGroups.grid(ThreadAxis.BLOCK_X, columnWorkGroup, columnWorkGroups, body);
    body = WorkGroups.grid(ThreadAxis.BLOCK_Y, rowWorkGroup, rowWorkGroups, body);
    return WorkGroups.grid(ThreadAxis.BLOCK_Z, batch, gemm.batch(), body);
  }

  /** Slices but the one that is multiplied and the one that is next may be on their way. */
  private Stmt inFlight(Stmt phase) {
    return ((For) phase)
        .withAnnotations(Map.of(ScheduleAnnotations.COPIES_IN_FLIGHT, (long) (shape.slots() - 2)));
  }

  /** The first slices are on their way, and all accumulators are 0. */
  private Stmt start(Var item) {
    List<Stmt> statements = new ArrayList<>();
    for (int i = 0; i < shape.slots() - 1; i++) {
      boolean inDepth = isEven() && known(gemm.depth()) >= (long) (i + 1) * shape.depth();
      statements.add(OperandSlots.asCopies(bring(item, IntImm.of(i), IntImm.of(i), inDepth)));
    }
    statements.add(
        accumulators.each(
            item,
            (row, column, sum) ->
                new BufferStore(accumulators.memory(), Exprs.constant(DType.FLOAT32, 0), sum)));
    return new Seq(statements);
  }

  private boolean isEven() {
    return known(gemm.depth()) > 0 && known(gemm.depth()) % shape.depth() == 0;
  }

  private static long known(PrimExpr extent) {
    return extent instanceof IntImm constant ? constant.value() : -1;
  }

  private Stmt bring(Var item, PrimExpr slot, PrimExpr number, boolean inDepth) {
    PrimExpr depthFrom = Exprs.mul(number, shape.depth());
    return new Seq(
        List.of(
            rows.bring(
                slot,
                Exprs.mul(rowWorkGroup, shape.rows()),
                depthFrom,
                inDepth,
                item,
                accumulators.items()),
            columns.bring(
                slot,
                Exprs.mul(columnWorkGroup, shape.columns()),
                depthFrom,
                inDepth,
                item,
                accumulators.items())));
  }

  /** Brings a slice to the slot of the one that was multiplied last, and multiplies the next. */
  private Stmt iteration(Var item) {
    int ahead = shape.slots() - 1;
    Var next = Var.index("next");
    Stmt brought = bring(item, Exprs.floorMod(next, shape.slots()), next, isEven());
    Stmt copies =
        new Let(
            next,
            Exprs.add(slice, ahead),
            OperandSlots.asCopies(WorkGroups.guarded(Exprs.lt(next, slices), brought)));
    Stmt multiply =
        accumulators.multiply(item, Exprs.floorMod(slice, shape.slots()), rows, columns);
    return new Seq(List.of(copies, multiply));
  }

  /** Adjacent results are stored together. */
  private Stmt finish(Var item) {
    int lanes = accumulators.run();
    boolean even = new Analyzer().isMultipleOf(gemm.columns(), lanes);
    return accumulators.runs(
        item,
        (inRow, inColumn, sum) -> {
          Var row = Var.index("row");
          Var column = Var.index("column");
          Optional<Stmt> run = gemm.finish().run(batch, row, column, lanes, lane -> sum(sum, lane));
          Stmt body;
          if (run.isEmpty()) {
            body = oneByOne(row, column, lanes, sum);
          } else if (even) {
            body = run.get();
          } else {
            body =
                new IfThenElse(
                    Exprs.le(Exprs.add(column, lanes), gemm.columns()),
                    run.get(),
                    Optional.of(oneByOne(row, column, lanes, sum)));
          }
          PrimExpr inside = Exprs.and(Exprs.lt(row, gemm.rows()), Exprs.lt(column, gemm.columns()));
          body = WorkGroups.guarded(inside, body);
          body =
              new Let(
                  column, Exprs.add(Exprs.mul(columnWorkGroup, shape.columns()), inColumn), body);
          return new Let(row, Exprs.add(Exprs.mul(rowWorkGroup, shape.rows()), inRow), body);
        });
  }

  /** The sum that lies so far after another one. */
  private PrimExpr sum(List<PrimExpr> first, PrimExpr lane) {
    List<PrimExpr> indices = new ArrayList<>(first);
    indices.set(indices.size() - 1, Exprs.add(first.getLast(), lane));
    return accumulators.memory().load(indices);
  }

  private Stmt oneByOne(Var row, Var first, int lanes, List<PrimExpr> sum) {
    Var lane = Var.index("lane");
    Var column = Var.index("column");
    Stmt body = gemm.finish().of(batch, row, column, sum(sum, lane));
    body = WorkGroups.guarded(Exprs.lt(column, gemm.columns()), body);
    body = new Let(column, Exprs.add(first, lane), body);
    return For.of(ForKind.UNROLLED, lane, IntImm.of(lanes), body);
  }
}
