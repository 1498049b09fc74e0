package org.relaxvm.backendsupport.gpu.codegen;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.relaxvm.api.DType;
import org.relaxvm.backendsupport.gpu.MatrixUnit;
import org.relaxvm.tir.analysis.Nest;
import org.relaxvm.tir.arith.Analyzer;
import org.relaxvm.tir.expr.Binary;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Cast;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.stmt.BufferStore;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.Stmt;

/**
 * Finds the matrices that the loops with the annotation {@link
 * org.relaxvm.backendsupport.gpu.ScheduleAnnotations#MATRIX_PRODUCT} multiply, and makes sure that
 * they do it in the layout of {@link MatrixUnit}.
 */
final class MatrixReader {
  /** A matrix, and how far apart neighbours in it are. */
  record Side(Buffer buffer, PrimExpr first, int along, int depth) {}

  /** What is multiplied. */
  record Found(Buffer accumulators, int rowTiles, int columnTiles, Side rows, Side columns) {}

  private final Analyzer analyzer = new Analyzer();
  private final Var lane;
  private final Var row;
  private final Var column;
  private final Var number;
  private final Var k;

  private MatrixReader(Var lane, List<For> loops) {
    this.lane = lane;
    this.row = loops.get(0).loopVar();
    this.column = loops.get(1).loopVar();
    this.number = loops.get(2).loopVar();
    this.k = loops.get(3).loopVar();
  }

  /** What loops multiply; empty when it is not in that layout. */
  static Optional<Found> of(Stmt stmt) {
    if (!(stmt instanceof Let let)) {
      return Optional.empty();
    }
    List<For> loops = new ArrayList<>();
    Stmt inner = let.body();
    while (inner instanceof For loop && loop.min().equals(IntImm.of(0))) {
      loops.add(loop);
      inner = loop.body();
    }
    if (loops.size() != 4
        || !loops.get(2).extent().equals(IntImm.of(MatrixUnit.ACCUMULATORS))
        || !(loops.get(0).extent() instanceof IntImm rowTiles)
        || !(loops.get(1).extent() instanceof IntImm columnTiles)
        || !(inner instanceof BufferStore store)) {
      return Optional.empty();
    }
    MatrixReader reader = new MatrixReader(let.var(), loops);
    return reader
        .read(store, (int) rowTiles.value(), (int) columnTiles.value())
        .filter(found -> isDeep(loops.get(3), found));
  }

  private static boolean isDeep(For depth, Found found) {
    DType dtype = found.rows().buffer().dtype();
    return found.columns().buffer().dtype().equals(dtype)
        && depth.extent().equals(IntImm.of(MatrixUnit.depth(dtype)));
  }

  private Optional<Found> read(BufferStore store, int rowTiles, int columnTiles) {
    PrimExpr position =
        Exprs.add(
            Exprs.mul(Exprs.add(Exprs.mul(row, columnTiles), column), MatrixUnit.ACCUMULATORS),
            number);
    PrimExpr at = store.indices().getFirst();
    if (!(store.value() instanceof Binary(BinaryOp add, PrimExpr sum, PrimExpr product))
        || add != BinaryOp.ADD
        || !sum.equals(store.buffer().load(at))
        || !analyzer.canProveEqual(at, position)
        || !(product instanceof Binary(BinaryOp mul, PrimExpr a, PrimExpr b))
        || mul != BinaryOp.MUL
        || !(a instanceof Cast left && left.value() instanceof BufferLoad rowElement)
        || !(b instanceof Cast right && right.value() instanceof BufferLoad columnElement)
        || Nest.uses(rowElement, column)
        || Nest.uses(columnElement, row)) {
      return Optional.empty();
    }
    Optional<Side> rows = rows(rowElement);
    Optional<Side> columns = columns(columnElement);
    return rows.isPresent() && columns.isPresent()
        ? Optional.of(new Found(store.buffer(), rowTiles, columnTiles, rows.get(), columns.get()))
        : Optional.empty();
  }

  /** Row {@code l / 4 + 8 * (e / 2)} of a tile. */
  private Optional<Side> rows(BufferLoad load) {
    PrimExpr index = load.indices().getFirst();
    OptionalInt along = step(index, lane, 4);
    OptionalInt depth = step(index, k, 1);
    return along.isPresent()
            && depth.isPresent()
            && isStep(index, lane, 1, 0)
            && isStep(index, number, 1, 0)
            && isStep(index, number, 2, MatrixUnit.ROWS / 2 * along.getAsInt())
            && isStep(index, row, 1, MatrixUnit.ROWS * along.getAsInt())
        ? Optional.of(new Side(load.buffer(), first(index), along.getAsInt(), depth.getAsInt()))
        : Optional.empty();
  }

  /** Column {@code 2 * (l % 4) + e % 2} of a tile. */
  private Optional<Side> columns(BufferLoad load) {
    PrimExpr index = load.indices().getFirst();
    OptionalInt along = step(index, number, 1);
    OptionalInt depth = step(index, k, 1);
    return along.isPresent()
            && depth.isPresent()
            && isStep(index, lane, 1, 2 * along.getAsInt())
            && isStep(index, lane, 4, 0)
            && isStep(index, number, 2, 0)
            && isStep(index, column, 1, MatrixUnit.COLUMNS * along.getAsInt())
        ? Optional.of(new Side(load.buffer(), first(index), along.getAsInt(), depth.getAsInt()))
        : Optional.empty();
  }

  private PrimExpr first(PrimExpr index) {
    return at(index, lane, 0);
  }

  /** An index with one of the counters at a value, and all others at 0. */
  private PrimExpr at(PrimExpr index, Var counter, long position) {
    Map<Var, PrimExpr> counters = new HashMap<>();
    for (Var each : List.of(lane, row, column, number, k)) {
      counters.put(each, IntImm.of(each.equals(counter) ? position : 0));
    }
    return analyzer.simplify(Substitution.in(index, counters));
  }

  /** How far an index moves from 0 to a value of a counter. */
  private OptionalInt step(PrimExpr index, Var counter, long position) {
    PrimExpr step = analyzer.simplify(Exprs.sub(at(index, counter, position), first(index)));
    return step instanceof IntImm known
        ? OptionalInt.of(Math.toIntExact(known.value()))
        : OptionalInt.empty();
  }

  private boolean isStep(PrimExpr index, Var counter, long position, int expected) {
    OptionalInt step = step(index, counter, position);
    return step.isPresent() && step.getAsInt() == expected;
  }
}
