package org.relaxvm.backendsupport.gpu.rules;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.relaxvm.api.DType;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.gemm.Gemm;
import org.relaxvm.backendsupport.gpu.gemm.GemmRule;
import org.relaxvm.backendsupport.gpu.gemm.SkinnyGemmLaunch;
import org.relaxvm.backendsupport.gpu.gemm.SkinnyGemmRule;
import org.relaxvm.backendsupport.gpu.loops.WorkGroups;
import org.relaxvm.tir.analysis.Contraction;
import org.relaxvm.tir.expr.Call;
import org.relaxvm.tir.expr.Cast;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.Intrinsic;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.rewrite.Substitution;
import org.relaxvm.tir.stmt.For;
import org.relaxvm.tir.stmt.Let;
import org.relaxvm.tir.stmt.Stmt;

/** Sums of products that {@link GemmRule} or {@link SkinnyGemmRule} may take: those of float32. */
final class FloatGemm {
  /** Below so many rows or columns most of a large block would be left empty. */
  private static final long FEW = 17;

  private final GpuLimits limits;

  FloatGemm(GpuLimits limits) {
    this.limits = limits;
  }

  /**
   * The launch for few rows of a sum of products, or for few columns.
   *
   * @param result what the store calls a sum
   * @param store what is done with a sum, in terms of counters of the loops
   * @return empty where other ways are better for any number of rows
   */
  Optional<SkinnyGemmLaunch> ofFewRows(Contraction sum, Var result, Stmt store) {
    boolean transposed =
        isLess(sum.columns(), SkinnyGemmRule.FEW) && !isLess(sum.rows(), SkinnyGemmRule.FEW);
    PrimExpr rows = WorkGroups.extent(sum.rows());
    // Loops over windows of pictures are more than one.
    if (!result.dtype().equals(DType.FLOAT32)
        || sum.stage().serial().size() != 1
        || (!transposed && rows instanceof IntImm && !isLess(sum.rows(), SkinnyGemmRule.FEW))) {
      return Optional.empty();
    }
    PrimExpr row = narrow(sum.rowValue()).orElse(sum.rowValue());
    PrimExpr column = narrow(sum.columnValue()).orElse(sum.columnValue());
    Gemm gemm = gemm(sum, row, column, result, store);
    return SkinnyGemmRule.of(transposed ? gemm.transposed() : gemm, limits);
  }

  private static boolean isLess(List<For> loops, long least) {
    return WorkGroups.extent(loops) instanceof IntImm known && known.value() < least;
  }

  /**
   * The launches of a sum of products.
   *
   * @param result what the store calls a sum
   * @param store what is done with a sum, in terms of counters of the loops
   * @return none where other ways are better
   */
  List<Stmt> of(Contraction sum, Var result, Stmt store) {
    if (limits.gemm().isEmpty() || !result.dtype().equals(DType.FLOAT32)) {
      return List.of();
    }
    Optional<PrimExpr> row = narrow(sum.rowValue());
    Optional<PrimExpr> column = narrow(sum.columnValue());
    if (row.isPresent()
        && column.isPresent()
        && row.get().dtype().equals(column.get().dtype())
        && GemmRule.takes(limits, row.get().dtype())) {
      Gemm gemm = gemm(sum, row.get(), column.get(), result, store);
      List<Stmt> launches = GemmRule.onMatrixUnit(gemm, row.get().dtype(), limits);
      if (!launches.isEmpty()) {
        return launches;
      }
    }
    if (isLess(sum.rows(), FEW) || isLess(sum.columns(), FEW)) {
      return List.of();
    }
    Gemm gemm = gemm(sum, sum.rowValue(), sum.columnValue(), result, store);
    return GemmRule.inRegisters(gemm, limits);
  }

  private static Gemm gemm(Contraction sum, PrimExpr row, PrimExpr column, Var result, Stmt store) {
    return new Gemm(
        WorkGroups.extent(sum.batch()),
        WorkGroups.extent(sum.rows()),
        WorkGroups.extent(sum.columns()),
        WorkGroups.extent(sum.stage().serial()),
        operand(sum, row, sum.rows()),
        operand(sum, column, sum.columns()),
        new Results(sum, result, store));
  }

  private static Gemm.Operand operand(Contraction sum, PrimExpr value, List<For> loops) {
    return (batch, along, depth) -> {
      Map<Var, PrimExpr> counters = new HashMap<>(WorkGroups.counters(sum.batch(), batch));
      counters.putAll(WorkGroups.counters(loops, along));
      counters.putAll(WorkGroups.counters(sum.stage().serial(), depth));
      return Substitution.in(value, counters);
    };
  }

  /** What a float32 was before it became one, if it is nothing but an element or 0. */
  private static Optional<PrimExpr> narrow(PrimExpr value) {
    return switch (value) {
      case Cast cast -> Optional.of(cast.value());
      case Call call
          when call.op() == Intrinsic.IF_THEN_ELSE
              && call.args().get(2) instanceof FloatImm other
              && other.value() == 0 ->
          narrow(call.args().get(1))
              .map(
                  inner ->
                      Exprs.ifThenElse(
                          call.args().get(0), inner, Exprs.constant(inner.dtype(), 0)));
      default -> Optional.empty();
    };
  }

  /**
   * What becomes of sums.
   *
   * @param result what the store calls a sum
   * @param store in terms of counters of the loops
   */
  private record Results(Contraction sum, Var result, Stmt store) implements Gemm.Finish {
    @Override
    public Stmt of(PrimExpr batch, PrimExpr row, PrimExpr column, PrimExpr value) {
      return new Substitution(counters(batch, row, column)).rewrite(with(value));
    }

    /** With the sum as a value of its own, which is added to what the kernel starts with. */
    private Stmt with(PrimExpr value) {
      Var own = new Var(result.name(), result.dtype());
      Stmt stored = new Substitution(Map.of(result, own)).rewrite(store);
      return new Let(own, Exprs.add(sum.start(), value), stored);
    }

    private Map<Var, PrimExpr> counters(PrimExpr batch, PrimExpr row, PrimExpr column) {
      Map<Var, PrimExpr> counters = new HashMap<>(WorkGroups.counters(sum.batch(), batch));
      counters.putAll(WorkGroups.counters(sum.rows(), row));
      counters.putAll(WorkGroups.counters(sum.columns(), column));
      return counters;
    }

    @Override
    public Optional<Stmt> run(
        PrimExpr batch, PrimExpr row, PrimExpr column, int lanes, UnaryOperator<PrimExpr> value) {
      For along = sum.columns().getLast();
      boolean inLine =
          sum.columns().size() == 1
              || (along.extent() instanceof IntImm known && known.value() % lanes == 0);
      Var added = new Var("sum", result.dtype());
      Map<Var, PrimExpr> first = counters(batch, row, column);
      PrimExpr from = first.getOrDefault(along.loopVar(), column);
      return inLine
          ? VectorBody.of(with(added), along)
              .map(
                  body ->
                      body.iterations(
                          lanes,
                          iteration -> {
                            Map<Var, PrimExpr> counters = new HashMap<>(first);
                            counters.put(along.loopVar(), Exprs.add(from, iteration));
                            counters.put(added, value.apply(iteration));
                            return new Substitution(counters);
                          }))
          : Optional.empty();
    }
  }
}
