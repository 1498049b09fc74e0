package org.relaxvm.tir.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.MemoryScope;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Reducer;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.schedule.nest.StmtPath;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;
import org.relaxvm.tir.verify.Verifier;

/** Blocks that compute in the loops of others, and what they compute there. */
class MovedBlocksTest {
  /** The extents of the loops around a block; of those that vary nothing. */
  private static List<PrimExpr> extents(Schedule schedule, String block) {
    return StmtPath.find(
            schedule.function().body(),
            stmt ->
                stmt instanceof org.relaxvm.tir.stmt.BlockRealize realize
                    && realize.block().name().equals(block))
        .orElseThrow()
        .loops()
        .stream()
        .map(For::extent)
        .toList();
  }

  @Test
  void producersComputeWhatOneIterationReads() {
    PrimFunc stencil = Kernels.stencil(DType.INT32);
    Schedule schedule = new Schedule(stencil);
    List<Var> loops = schedule.loops("sums");
    List<Var> parts = schedule.split(loops.get(1), 2);
    schedule.computeAt("twice", parts.get(0));
    // Two columns of sums need three of what they are made of.
    List<PrimExpr> extents = extents(schedule, "twice");
    assertThat(extents.subList(1, 3)).containsExactly(IntImm.of(2), IntImm.of(3));
    SameResults.require(stencil, schedule.function());
    schedule.computeAt("twice", parts.get(1));
    assertThat(extents(schedule, "twice").getLast()).isEqualTo(IntImm.of(2));
    SameResults.require(stencil, schedule.function());
    schedule.computeAt("twice", loops.get(0));
    assertThat(extents(schedule, "twice").getLast()).isEqualTo(IntImm.of(5));
    SameResults.require(stencil, schedule.function());
  }

  @Test
  void guardsLeaveOutWhatIsAfterTheEnd() {
    PrimFunc chain = Kernels.chain();
    Schedule schedule = new Schedule(chain);
    List<Var> rows = schedule.split(schedule.loops("C").get(0), 4);
    List<Var> columns = schedule.split(schedule.loops("C").get(2), 3);
    schedule.reorder(List.of(rows.get(0), columns.get(0), rows.get(1), columns.get(1)));
    schedule.computeAt("exp", columns.get(0));
    schedule.computeAt("sum", columns.get(0));
    assertThat(extents(schedule, "sum").subList(2, 4)).containsExactly(IntImm.of(4), IntImm.of(3));
    schedule.parallel(rows.get(0));
    schedule.parallel(columns.get(0));
    SameResults.require(chain, schedule.function());
    assertThat(Verifier.unprovenAccesses(schedule.function())).isEmpty();
  }

  @Test
  void reductionsMoveWithWhatStartsThem() {
    PrimFunc softmax = Kernels.softmax();
    Schedule schedule = new Schedule(softmax);
    Var row = schedule.loops("Y").get(0);
    schedule.computeAt("sum", row);
    schedule.computeAt("exp", row);
    schedule.computeAt("max", row);
    for (String block : List.of("max_init", "max", "exp", "sum_init", "sum", "Y")) {
      assertThat(schedule.loops(block)).startsWith(row);
    }
    schedule.parallel(row);
    SameResults.require(softmax, schedule.function());
  }

  @Test
  void wholeAxesAreComputedWhereNoRangeIsKnown() {
    KernelBuilder kernel = new KernelBuilder("gather");
    Var n = kernel.extent("n");
    TensorExpr a = kernel.input("A", DType.INT32, List.of(n));
    TensorExpr twice = kernel.compute("twice", a.shape(), i -> Exprs.add(a.at(i), a.at(i)));
    PrimFunc gather =
        kernel.build(
            kernel.compute(
                "out",
                List.of(n),
                i ->
                    twice.at(
                        Exprs.floorMod(
                            Exprs.cast(DType.INT64, Exprs.mul(a.at(i), a.at(i))),
                            Exprs.max(n, IntImm.of(1))))));
    Schedule schedule = new Schedule(gather);
    schedule.computeAt("twice", schedule.loops("out").get(0));
    assertThat(extents(schedule, "twice").getLast()).isEqualTo(n);
    SameResults.require(gather, schedule.function());
  }

  /** {@code max(A * B, 0)} of matrices. */
  static PrimFunc activated(PrimExpr k) {
    KernelBuilder kernel = new KernelBuilder("activated");
    Var m = kernel.extent("m");
    Var n = kernel.extent("n");
    TensorExpr a = kernel.input("A", DType.FLOAT32, List.of(m, k));
    TensorExpr b = kernel.input("B", DType.FLOAT32, List.of(k, n));
    TensorExpr c =
        kernel.reduce(
            "C",
            List.of(m, n),
            List.of(k),
            Reducer.SUM,
            (i, r) -> Exprs.mul(a.at(i.get(0), r.get(0)), b.at(r.get(0), i.get(1))));
    PrimExpr zero = new FloatImm(DType.FLOAT32, 0);
    return kernel.build(kernel.compute("relu", c.shape(), i -> Exprs.max(c.at(i), zero)));
  }

  @Test
  void formulasFollowEachTileOfAResult() {
    for (PrimExpr k : List.of(IntImm.of(6), Var.index("k"))) {
      PrimFunc kernel = activated(k);
      Schedule schedule = new Schedule(kernel);
      List<Var> loops = schedule.loops("C");
      List<Var> rows = schedule.split(loops.get(0), 4);
      List<Var> columns = schedule.split(loops.get(1), 3);
      List<Var> depth = schedule.split(loops.get(2), 2);
      schedule.reorder(
          List.of(
              rows.get(0),
              columns.get(0),
              depth.get(0),
              rows.get(1),
              columns.get(1),
              depth.get(1)));
      schedule.reverseComputeAt("relu", columns.get(0));
      assertThat(extents(schedule, "relu").subList(2, 4))
          .containsExactly(IntImm.of(4), IntImm.of(3));
      schedule.parallel(rows.get(0));
      SameResults.require(kernel, schedule.function());
    }
  }

  @Test
  void tilesAreWrittenBackWhereTheyAreDone() {
    PrimFunc matmul = Kernels.matmul(IntImm.of(5));
    Schedule schedule = new Schedule(matmul);
    schedule.cacheWrite("C", matmul.buffers().get(2), MemoryScope.LOCAL, "c");
    List<Var> rows = schedule.split(schedule.loops("C").get(0), 3);
    schedule.reverseComputeAt("c_out", rows.get(0));
    assertThat(extents(schedule, "c_out").get(1)).isEqualTo(IntImm.of(3));
    SameResults.require(matmul, schedule.function());
  }
}
