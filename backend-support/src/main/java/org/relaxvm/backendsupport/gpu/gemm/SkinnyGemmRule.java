package org.relaxvm.backendsupport.gpu.gemm;

import java.util.Optional;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.tir.expr.BufferLoad;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/**
 * GEMMs of fewer than {@value #FEW} rows, as when a model writes one word after the other. They
 * take as long as it takes to read the weights: each is read once for all rows, in vectors, by as
 * many work-items as keep the memory busy.
 *
 * <p>Rationale: docs/rationale/backend-support.md, "Why does GEMM with fewer than eight rows have
 * its own rule?"
 */
public final class SkinnyGemmRule {
  /** From so many rows on, operands are better brought to shared memory. */
  public static final int FEW = 8;

  /** Below so many products for each result there is nothing to share. */
  private static final long SHORT = 64;

  /** Below so many weights it takes longer to start a launch. */
  private static final long SMALL = 4096;

  private SkinnyGemmRule() {}

  /**
   * The launch of a GEMM with fewer than {@value #FEW} rows.
   *
   * @param gemm whose operands may be of any dtype that becomes float32, and whose rows may be
   *     known only by a call; the launch is right for few of them alone
   * @return empty where the device or the GEMM do not suit
   */
  public static Optional<SkinnyGemmLaunch> of(Gemm gemm, GpuLimits limits) {
    Var along = Var.index("along");
    Var k = Var.index("k");
    PrimExpr weight = gemm.columnOperand().at(IntImm.of(0), along, k);
    if (!gemm.batch().equals(IntImm.of(1))
        || isLess(gemm.rows(), 1)
        || isLess(gemm.depth(), SHORT)
        || isLess(gemm.columns(), FEW)
        || isLess(Exprs.mul(gemm.columns(), gemm.depth()), SMALL)
        || !(weight instanceof BufferLoad)) {
      return Optional.empty();
    }
    int rows = gemm.rows() instanceof IntImm known ? (int) known.value() : FEW - 1;
    int bytes = weight.dtype().elementByteSize();
    Optional<SkinnyGemmShape> shape = Optional.empty();
    if (OperandSlots.isStepOne(weight, k)) {
      shape = SkinnyGemmShape.alongDepth(rows, gemm.columns(), gemm.depth(), bytes, limits);
    } else if (OperandSlots.isStepOne(weight, along)) {
      shape = SkinnyGemmShape.alongColumns(rows, gemm.columns(), gemm.depth(), bytes, limits);
    }
    return shape.map(own -> new SkinnyGemmLaunch(gemm, own));
  }

  private static boolean isLess(PrimExpr extent, long least) {
    return extent instanceof IntImm known && known.value() < least;
  }
}
