package org.relaxvm.backendsupport.gpu.gemm;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.backendsupport.gpu.GemmLimits;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.MatrixUnit;
import org.relaxvm.backendsupport.gpu.loops.WorkGroups;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.stmt.Stmt;

/**
 * Chooses how a sum of products is computed on a device that has {@link GemmLimits}. Blocks are as
 * large as the results and the device leave: large ones read the operands less often, small ones
 * give more work-groups. Where that depends on extents of a call there is a launch for large blocks
 * and one for small ones, one of which has nothing to do.
 */
public final class GemmRule {
  private static final int[] SIDES = {16, 32, 64, 128};
  private static final int LARGE = 128;
  private static final int SMALL = 64;

  /** Of a block whose accumulators are in registers. */
  private static final int FEWEST_ROWS = 32;

  private static final int REGISTER_DEPTH = 16;

  /** Of a block that a tensor core multiplies. */
  private static final int MATRIX_DEPTH_BYTES = 64;

  private final GpuLimits limits;
  private final Gemm gemm;
  private final boolean onMatrixUnit;
  private final int elementBytes;

  private GemmRule(GpuLimits limits, Gemm gemm, boolean onMatrixUnit, int elementBytes) {
    this.limits = limits;
    this.gemm = gemm;
    this.onMatrixUnit = onMatrixUnit;
    this.elementBytes = elementBytes;
  }

  /**
   * The launches of a GEMM with operands of float32.
   *
   * @return none where the device or the GEMM do not suit
   */
  public static List<Stmt> inRegisters(Gemm gemm, GpuLimits limits) {
    boolean fits =
        limits
            .gemm()
            .filter(own -> own.registers() >= RegisterAccumulators.REGISTERS)
            .filter(own -> limits.maxWorkGroupSize() >= RegisterAccumulators.MOST_ITEMS)
            .isPresent();
    return fits ? new GemmRule(limits, gemm, false, Float.BYTES).launches() : List.of();
  }

  /**
   * The launches of a GEMM with operands that a tensor core takes.
   *
   * @param gemm whose operands are elements of this dtype
   * @return none where the device or the GEMM do not suit
   */
  public static List<Stmt> onMatrixUnit(Gemm gemm, DType dtype, GpuLimits limits) {
    return takes(limits, dtype)
            && limits.subgroupSize() == MatrixUnit.LANES
            && limits.maxWorkGroupSize() >= MatrixAccumulators.ITEMS
        ? new GemmRule(limits, gemm, true, dtype.elementByteSize()).launches()
        : List.of();
  }

  /** Whether a tensor core of a device takes elements of a dtype. */
  public static boolean takes(GpuLimits limits, DType dtype) {
    return limits
        .gemm()
        .flatMap(GemmLimits::matrixUnit)
        .filter(unit -> unit.operands().contains(dtype))
        .isPresent();
  }

  private List<Stmt> launches() {
    int rows = side(gemm.rows(), onMatrixUnit ? MatrixUnit.ROWS : FEWEST_ROWS);
    int columns = side(gemm.columns(), SMALL);
    Optional<BlockShape> large = fitting(rows, columns);
    if (large.isEmpty()) {
      return List.of();
    }
    Optional<BlockShape> small = fitting(Math.min(rows, SMALL), Math.min(columns, SMALL));
    if (small.isEmpty() || small.equals(large)) {
      return List.of(GemmLaunch.of(gemm, large.get(), onMatrixUnit));
    }
    PrimExpr enough = Exprs.le(IntImm.of(limits.computeUnits()), blocks(large.get()));
    List<Stmt> launches = new ArrayList<>();
    if (!enough.equals(IntImm.of(false))) {
      launches.add(WorkGroups.when(enough, GemmLaunch.of(gemm, large.get(), onMatrixUnit)));
    }
    if (!enough.equals(IntImm.of(true))) {
      launches.add(
          WorkGroups.when(Exprs.not(enough), GemmLaunch.of(gemm, small.get(), onMatrixUnit)));
    }
    return launches;
  }

  /** How many blocks there are. */
  private PrimExpr blocks(BlockShape shape) {
    PrimExpr rows = Exprs.floorDiv(Exprs.add(gemm.rows(), shape.rows() - 1), shape.rows());
    PrimExpr columns =
        Exprs.floorDiv(Exprs.add(gemm.columns(), shape.columns() - 1), shape.columns());
    return Exprs.mul(gemm.batch(), Exprs.mul(rows, columns));
  }

  /** The shortest side that covers an extent, or the longest. */
  private static int side(PrimExpr extent, int least) {
    for (int side : SIDES) {
      if (side >= least && extent instanceof IntImm known && known.value() <= side) {
        return side;
      }
    }
    return LARGE;
  }

  /** A block with as many slices as fit; two at least. */
  private Optional<BlockShape> fitting(int rows, int columns) {
    int most = limits.gemm().map(GemmLimits::slices).orElse(0);
    long room = limits.gemm().map(GemmLimits::sharedBytes).orElse(0L);
    int depth = onMatrixUnit ? MATRIX_DEPTH_BYTES / elementBytes : REGISTER_DEPTH;
    for (int slots = most; slots > 1; slots--) {
      BlockShape shape = new BlockShape(rows, columns, depth, slots);
      long bytes =
          OperandSlots.bytes(rows, shape, elementBytes)
              + OperandSlots.bytes(columns, shape, elementBytes);
      if (bytes <= room) {
        return Optional.of(shape);
      }
    }
    return Optional.empty();
  }
}
