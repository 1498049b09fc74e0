package org.relaxvm.backendcpu.micro;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.VmContext;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Codecs;
import org.relaxvm.backendcpu.kernel.CpuKernel;
import org.relaxvm.backendcpu.kernel.KernelCall;
import org.relaxvm.backendcpu.kernel.MatrixProduct;
import org.relaxvm.machine.x64.Feature;

/**
 * {@code relaxvm.matmul} and its variants in machine code: float32 and float64. Other dtypes,
 * products without elements, and memory that is not native or that a caller may close meanwhile are
 * left to another kernel. Thread-safe.
 */
public final class MachineMatmul {
  private final GemmCode singles;
  private final GemmCode doubles;

  private MachineMatmul(VectorUnit unit) {
    singles = new GemmCode(unit, Element.FLOAT32);
    doubles = new GemmCode(unit, Element.FLOAT64);
  }

  /**
   * With code for a processor; functions are emitted when they are first needed.
   *
   * @throws IllegalArgumentException if the processor has no AVX2 with FMA
   */
  public static MachineMatmul of(Set<Feature> features) {
    return new MachineMatmul(VectorUnit.of(features));
  }

  /** {@code relaxvm.matmul}; what it does not compute goes to another kernel. */
  public CpuKernel products(CpuKernel other) {
    return call -> {
      if (!runs(call, MatrixProduct.of(call))) {
        other.run(call);
      }
    };
  }

  /** {@code relaxvm.matmul_residual}; what it does not compute goes to another kernel. */
  public CpuKernel residuals(CpuKernel other) {
    return call -> {
      if (!runs(call, MatrixProduct.ofResidual(call))) {
        other.run(call);
      }
    };
  }

  /** Computes a product, if it is one for this code. */
  private boolean runs(KernelCall call, MatrixProduct given) {
    boolean isEmpty = given.m() == 0 || given.n() == 0 || given.k() == 0 || given.batches() == 0;
    GemmCode code = code(given.dtype());
    if (code == null || isEmpty) {
      return false;
    }
    try (CallMemory memory = CallMemory.of(call)) {
      if (memory == null) {
        return false;
      }
      MatrixProduct product = given.flat();
      Codec<?> codec = Codecs.of(product.dtype(), product.floats());
      run(code, codec, product, call.tensor(1), call.args().contextOrNull());
      return true;
    }
  }

  private @Nullable GemmCode code(DType dtype) {
    if (dtype.equals(DType.FLOAT32)) {
      return singles;
    }
    return dtype.equals(DType.FLOAT64) ? doubles : null;
  }

  private static <A> void run(
      GemmCode code,
      Codec<A> codec,
      MatrixProduct product,
      Tensor right,
      @Nullable VmContext context) {
    boolean isTurned = isTurned(code, product);
    MatrixProduct oriented = isTurned ? product.turned() : product;
    // Panels of a constant are read at the speed of the memory by tiles, too.
    PackedRight packed = isTurned ? null : PackedRight.of(code, product, right);
    if (packed == null && SkinnyGemm.fits(code, oriented)) {
      SkinnyGemm.run(code, codec, oriented, context);
    } else {
      new Gemm<>(code, codec, oriented, packed).run(context);
    }
  }

  /** Whether the transposed product has few rows, or rows of the output with unit stride. */
  private static boolean isTurned(GemmCode code, MatrixProduct product) {
    if (SkinnyGemm.fits(code, product)) {
      return false;
    }
    int axis = product.rowAxis();
    int bytes = code.element().bytes();
    boolean isUnit = product.out().stride(axis + 1) == bytes;
    return product.n() <= SkinnyGemm.MOST_ROWS
        ? SkinnyGemm.fits(code, product.turned())
        : !isUnit && product.out().stride(axis) == bytes;
  }
}
