package org.relaxvm.backendsupport.gpu.products;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.backendsupport.gpu.ScheduleAnnotations;
import org.relaxvm.backendsupport.gpu.loops.Groups;
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
 * A launch whose groups compute a block of the results each. Slices of the operands come to shared
 * memory while earlier ones are multiplied: a phase has both, as they are in different slots, and
 * what is brought in one phase is used in a later one.
 */
final class ProductLaunch {
  private final Product product;
  private final BlockShape shape;
  private final Sums sums;
  private final Var batch = Var.index("batch");
  private final Var rowGroup = Var.index("row_group");
  private final Var columnGroup = Var.index("column_group");
  private final Var slice = Var.index("slice");
  private final PrimExpr slices;
  private final OperandSlots rows;
  private final OperandSlots columns;

  private ProductLaunch(Product product, BlockShape shape, Sums sums, boolean asInMemory) {
    this.product = product;
    this.shape = shape;
    this.sums = sums;
    this.slices = Groups.parts(product.depth(), shape.depth());
    this.rows =
        new OperandSlots(
            "row_slices",
            product.rowOperand(),
            product.rows(),
            product.depth(),
            batch,
            shape.rows(),
            shape,
            asInMemory);
    this.columns =
        new OperandSlots(
            "column_slices",
            product.columnOperand(),
            product.columns(),
            product.depth(),
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
  static Stmt of(Product product, BlockShape shape, boolean onMatrixUnit) {
    Sums sums = onMatrixUnit ? new MatrixSums(shape) : new RegisterSums(shape);
    return new ProductLaunch(product, shape, sums, onMatrixUnit).launch();
  }

  private Stmt launch() {
    Stmt block =
        new Seq(
            List.of(
                Groups.phase(sums.items(), this::start),
                For.serial(slice, slices, inFlight(Groups.phase(sums.items(), this::turn))),
                Groups.phase(sums.items(), this::finish)));
    Stmt body =
        Groups.noted(
            List.of(rows.memory(), columns.memory(), sums.memory()),
            Map.of(
                ScheduleAnnotations.STORED,
                true,
                ScheduleAnnotations.GROUPS_AT_ONCE,
                (long) sums.groupsAtOnce()),
            block);
    PrimExpr rowGroups = Groups.parts(product.rows(), shape.rows());
    PrimExpr columnGroups = Groups.parts(product.columns(), shape.columns());
    body = Groups.grid(ThreadAxis.BLOCK_X, columnGroup, columnGroups, body);
    body = Groups.grid(ThreadAxis.BLOCK_Y, rowGroup, rowGroups, body);
    return Groups.grid(ThreadAxis.BLOCK_Z, batch, product.batch(), body);
  }

  /** Slices but the one that is multiplied and the one that is next may be on their way. */
  private Stmt inFlight(Stmt phase) {
    For loop = (For) phase;
    return new For(
        loop.loopVar(),
        loop.min(),
        loop.extent(),
        loop.kind(),
        loop.thread(),
        loop.body(),
        Map.of(ScheduleAnnotations.COPIES_IN_FLIGHT, (long) (shape.slots() - 2)));
  }

  /** The first slices are on their way, and all sums are 0. */
  private Stmt start(Var item) {
    List<Stmt> statements = new ArrayList<>();
    for (int i = 0; i < shape.slots() - 1; i++) {
      boolean inDepth = isEven() && known(product.depth()) >= (long) (i + 1) * shape.depth();
      statements.add(OperandSlots.asCopies(bring(item, IntImm.of(i), IntImm.of(i), inDepth)));
    }
    statements.add(
        sums.each(
            item,
            (row, column, sum) ->
                new BufferStore(sums.memory(), Exprs.constant(DType.FLOAT32, 0), sum)));
    return new Seq(statements);
  }

  private boolean isEven() {
    return known(product.depth()) > 0 && known(product.depth()) % shape.depth() == 0;
  }

  private static long known(PrimExpr extent) {
    return extent instanceof IntImm constant ? constant.value() : -1;
  }

  private Stmt bring(Var item, PrimExpr slot, PrimExpr number, boolean inDepth) {
    PrimExpr depthFrom = Exprs.mul(number, shape.depth());
    return new Seq(
        List.of(
            rows.bring(
                slot, Exprs.mul(rowGroup, shape.rows()), depthFrom, inDepth, item, sums.items()),
            columns.bring(
                slot,
                Exprs.mul(columnGroup, shape.columns()),
                depthFrom,
                inDepth,
                item,
                sums.items())));
  }

  /** Brings a slice to the slot of the one that was multiplied last, and multiplies the next. */
  private Stmt turn(Var item) {
    int ahead = shape.slots() - 1;
    Var next = Var.index("next");
    Stmt brought = bring(item, Exprs.floorMod(next, shape.slots()), next, isEven());
    Stmt copies =
        new Let(
            next,
            Exprs.add(slice, ahead),
            OperandSlots.asCopies(Groups.guarded(Exprs.lt(next, slices), brought)));
    Stmt products = sums.multiply(item, Exprs.floorMod(slice, shape.slots()), rows, columns);
    return new Seq(List.of(copies, products));
  }

  /** Adjacent results are stored together. */
  private Stmt finish(Var item) {
    int lanes = sums.run();
    boolean even = new Analyzer().isMultipleOf(product.columns(), lanes);
    return sums.runs(
        item,
        (inRow, inColumn, sum) -> {
          Var row = Var.index("row");
          Var column = Var.index("column");
          Optional<Stmt> run =
              product.finish().run(batch, row, column, lanes, lane -> sum(sum, lane));
          Stmt body;
          if (run.isEmpty()) {
            body = oneByOne(row, column, lanes, sum);
          } else if (even) {
            body = run.get();
          } else {
            body =
                new IfThenElse(
                    Exprs.le(Exprs.add(column, lanes), product.columns()),
                    run.get(),
                    Optional.of(oneByOne(row, column, lanes, sum)));
          }
          PrimExpr inside =
              Exprs.and(Exprs.lt(row, product.rows()), Exprs.lt(column, product.columns()));
          body = Groups.guarded(inside, body);
          body =
              new Let(column, Exprs.add(Exprs.mul(columnGroup, shape.columns()), inColumn), body);
          return new Let(row, Exprs.add(Exprs.mul(rowGroup, shape.rows()), inRow), body);
        });
  }

  /** The sum that lies so far after another one. */
  private PrimExpr sum(List<PrimExpr> first, PrimExpr lane) {
    List<PrimExpr> place = new ArrayList<>(first);
    place.set(place.size() - 1, Exprs.add(first.getLast(), lane));
    return sums.memory().load(place);
  }

  private Stmt oneByOne(Var row, Var first, int lanes, List<PrimExpr> sum) {
    Var lane = Var.index("lane");
    Var column = Var.index("column");
    Stmt body = product.finish().of(batch, row, column, sum(sum, lane));
    body = Groups.guarded(Exprs.lt(column, product.columns()), body);
    body = new Let(column, Exprs.add(first, lane), body);
    return For.of(ForKind.UNROLLED, lane, IntImm.of(lanes), body);
  }
}
