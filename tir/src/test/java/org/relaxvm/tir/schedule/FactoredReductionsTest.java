package org.relaxvm.tir.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.BinaryOp;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Reducer;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Reductions in two steps. */
class FactoredReductionsTest {
  private static final List<Reducer> REDUCERS =
      List.of(Reducer.SUM, Reducer.PROD, Reducer.MIN, Reducer.MAX);

  private static PrimFunc rows(PrimExpr depth, Reducer reducer) {
    KernelBuilder kernel = new KernelBuilder("rows");
    Var n = kernel.extent("n");
    TensorExpr a = kernel.input("A", DType.INT32, List.of(n, depth));
    return kernel.build(
        kernel.reduce(
            "R", List.of(n), List.of(depth), reducer, (i, r) -> a.at(i.get(0), r.get(0))));
  }

  @Test
  void partsOfAReductionRunAtOnce() {
    for (Reducer reducer : REDUCERS) {
      for (PrimExpr depth : List.of(IntImm.of(1), IntImm.of(7), Var.index("k"))) {
        for (int part = 0; part < 2; part++) {
          PrimFunc kernel = rows(depth, reducer);
          Schedule schedule = new Schedule(kernel);
          List<Var> depths = schedule.split(schedule.loops("R").get(1), 3);
          assertThat(schedule.rfactor(depths.get(part), part)).isEqualTo("R_rf");
          schedule.parallel(depths.get(part));
          SameResults.require(kernel, schedule.function());
        }
      }
    }
  }

  @Test
  void conjunctionsAndDisjunctionsAreFactored() {
    for (Reducer reducer : List.of(Reducer.ALL, Reducer.ANY)) {
      KernelBuilder kernel = new KernelBuilder("tests");
      Var n = kernel.extent("n");
      TensorExpr a = kernel.input("A", DType.INT32, List.of(n));
      PrimFunc tests =
          kernel.build(
              kernel.reduce(
                  "R",
                  List.of(),
                  List.of(n),
                  reducer,
                  (i, r) -> Exprs.lt(a.at(r), new IntImm(DType.INT32, 5))));
      Schedule schedule = new Schedule(tests);
      List<Var> parts = schedule.split(schedule.loops("R").get(0), 2);
      schedule.rfactor(parts.get(1), 0);
      SameResults.require(tests, schedule.function());
    }
  }

  @Test
  void loopsThatAreFusedAreFactoredToo() {
    KernelBuilder kernel = new KernelBuilder("total");
    Var n = kernel.extent("n");
    Var m = kernel.extent("m");
    TensorExpr a = kernel.input("A", DType.INT32, List.of(n, m));
    PrimFunc total =
        kernel.build(kernel.reduce("R", List.of(), List.of(n, m), Reducer.SUM, (i, r) -> a.at(r)));
    Schedule schedule = new Schedule(total);
    List<Var> loops = schedule.loops("R");
    List<Var> parts = schedule.split(schedule.fuse(loops.get(0), loops.get(1)), 4);
    schedule.rfactor(parts.get(1), 0);
    schedule.reorder(parts.reversed());
    schedule.vectorize(parts.get(1));
    SameResults.require(total, schedule.function());
  }

  /** The index of the largest, and the largest, of rows. */
  static PrimFunc argmax(PrimExpr depth, boolean last) {
    KernelBuilder kernel = new KernelBuilder("argmax");
    Var n = kernel.extent("n");
    TensorExpr a = kernel.input("A", DType.INT32, List.of(n, depth));
    Reducer reducer =
        new Reducer(
            dtypes -> List.of(IntImm.of(-1), Reducer.lowest(dtypes.get(1))),
            (x, y) -> {
              PrimExpr keeps = Exprs.binary(last ? BinaryOp.GT : BinaryOp.GE, x.get(1), y.get(1));
              return List.of(
                  Exprs.select(keeps, x.get(0), y.get(0)), Exprs.select(keeps, x.get(1), y.get(1)));
            });
    List<TensorExpr> both =
        kernel.reduceAll(
            List.of("index", "largest"),
            List.of(n),
            List.of(depth),
            reducer,
            (i, r) -> List.of(r.get(0), a.at(i.get(0), r.get(0))));
    return kernel.build(both.get(0), both.get(1));
  }

  @Test
  void indicesOfTheLargestStayTheFirstOnes() {
    for (PrimExpr depth : List.of(IntImm.of(9), Var.index("k"))) {
      PrimFunc kernel = argmax(depth, false);
      Schedule schedule = new Schedule(kernel);
      List<Var> parts = schedule.split(schedule.loops("index").get(1), 4);
      schedule.rfactor(parts.get(0), 1);
      schedule.parallel(parts.get(0));
      SameResults.require(kernel, schedule.function());
    }
  }
}
