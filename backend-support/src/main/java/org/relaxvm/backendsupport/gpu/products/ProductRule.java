package org.relaxvm.backendsupport.gpu.products;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.MatrixUnit;
import org.relaxvm.backendsupport.gpu.ProductLimits;
import org.relaxvm.backendsupport.gpu.loops.Groups;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.stmt.Stmt;

/**
 * Chooses how a sum of products is computed on a device that has {@link ProductLimits}. Blocks are
 * as large as the results and the device leave: large ones read the operands less often, small ones
 * give more groups. Where that depends on extents of a call there is a launch for large blocks and
 * one for small ones, one of which has nothing to do.
 */
public final class ProductRule {
  private static final int[] SIDES = {16, 32, 64, 128};
  private static final int LARGE = 128;
  private static final int SMALL = 64;

  /** Of a block whose sums are in registers. */
  private static final int FEWEST_ROWS = 32;

  private static final int REGISTER_DEPTH = 16;

  /** Of a block that a tensor core multiplies. */
  private static final int MATRIX_DEPTH_BYTES = 64;

  private final GpuLimits limits;
  private final Product product;
  private final boolean onMatrixUnit;
  private final int elementBytes;

  private ProductRule(GpuLimits limits, Product product, boolean onMatrixUnit, int elementBytes) {
    this.limits = limits;
    this.product = product;
    this.onMatrixUnit = onMatrixUnit;
    this.elementBytes = elementBytes;
  }

  /**
   * The launches of a product with operands of float32.
   *
   * @return none where the device or the product do not suit
   */
  public static List<Stmt> inRegisters(Product product, GpuLimits limits) {
    boolean fits =
        limits
            .products()
            .filter(own -> own.registers() >= RegisterSums.REGISTERS)
            .filter(own -> limits.maxGroupSize() >= RegisterSums.MOST_ITEMS)
            .isPresent();
    return fits ? new ProductRule(limits, product, false, Float.BYTES).launches() : List.of();
  }

  /**
   * The launches of a product with operands that a tensor core takes.
   *
   * @param product whose operands are elements of this dtype
   * @return none where the device or the product do not suit
   */
  public static List<Stmt> onMatrixUnit(Product product, DType dtype, GpuLimits limits) {
    return takes(limits, dtype)
            && limits.subgroupSize() == MatrixUnit.LANES
            && limits.maxGroupSize() >= MatrixSums.ITEMS
        ? new ProductRule(limits, product, true, dtype.elementByteSize()).launches()
        : List.of();
  }

  /** Whether a tensor core of a device takes elements of a dtype. */
  public static boolean takes(GpuLimits limits, DType dtype) {
    return limits
        .products()
        .flatMap(ProductLimits::matrixUnit)
        .filter(unit -> unit.operands().contains(dtype))
        .isPresent();
  }

  private List<Stmt> launches() {
    int rows = side(product.rows(), onMatrixUnit ? MatrixUnit.ROWS : FEWEST_ROWS);
    int columns = side(product.columns(), SMALL);
    Optional<BlockShape> large = fitting(rows, columns);
    if (large.isEmpty()) {
      return List.of();
    }
    Optional<BlockShape> small = fitting(Math.min(rows, SMALL), Math.min(columns, SMALL));
    if (small.isEmpty() || small.equals(large)) {
      return List.of(ProductLaunch.of(product, large.get(), onMatrixUnit));
    }
    PrimExpr enough = Exprs.le(IntImm.of(limits.computeUnits()), blocks(large.get()));
    List<Stmt> launches = new ArrayList<>();
    if (!enough.equals(IntImm.of(false))) {
      launches.add(Groups.when(enough, ProductLaunch.of(product, large.get(), onMatrixUnit)));
    }
    if (!enough.equals(IntImm.of(true))) {
      launches.add(
          Groups.when(Exprs.not(enough), ProductLaunch.of(product, small.get(), onMatrixUnit)));
    }
    return launches;
  }

  /** How many blocks there are. */
  private PrimExpr blocks(BlockShape shape) {
    PrimExpr rows = Exprs.floorDiv(Exprs.add(product.rows(), shape.rows() - 1), shape.rows());
    PrimExpr columns =
        Exprs.floorDiv(Exprs.add(product.columns(), shape.columns() - 1), shape.columns());
    return Exprs.mul(product.batch(), Exprs.mul(rows, columns));
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
    int most = limits.products().map(ProductLimits::slices).orElse(0);
    long room = limits.products().map(ProductLimits::groupBytes).orElse(0L);
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
