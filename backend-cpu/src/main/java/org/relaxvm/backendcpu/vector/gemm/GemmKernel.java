package org.relaxvm.backendcpu.vector.gemm;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Tensor;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Codecs;
import org.relaxvm.backendcpu.kernel.CpuKernel;
import org.relaxvm.backendcpu.kernel.KernelCall;
import org.relaxvm.backendcpu.kernel.MatmulKernel;
import org.relaxvm.backendcpu.kernel.MatrixProduct;
import org.relaxvm.backendcpu.vector.gemm.tile.DoubleTile12;
import org.relaxvm.backendcpu.vector.gemm.tile.DoubleTile6;
import org.relaxvm.backendcpu.vector.gemm.tile.FloatTile;
import org.relaxvm.backendcpu.vector.gemm.tile.FloatTile12;
import org.relaxvm.backendcpu.vector.gemm.tile.FloatTile6;
import org.relaxvm.backendcpu.vector.gemm.tile.Tile;

/**
 * {@code relaxvm.matmul} in vector code: floats, float16 and bfloat16 in float32. Integers take the
 * portable way. Keeps scratch memory; thread-safe.
 */
public final class GemmKernel implements CpuKernel {
  private static final MatrixSweeps<float[]> FLOAT_SWEEPS = new FloatSweeps();
  private static final MatrixSweeps<double[]> DOUBLE_SWEEPS = new DoubleSweeps();

  private final FloatTile floatTile;
  private final Tile<double[]> doubleTile;
  private final ScratchPool<float[]> floats;
  private final ScratchPool<double[]> doubles;

  private GemmKernel(FloatTile floatTile, Tile<double[]> doubleTile) {
    this.floatTile = floatTile;
    this.doubleTile = doubleTile;
    floats = new ScratchPool<>(floatTile);
    doubles = new ScratchPool<>(doubleTile);
  }

  /** With tiles of twelve rows, for machines with 32 vector registers. */
  public static GemmKernel ofTwelveRows() {
    return new GemmKernel(new FloatTile12(), new DoubleTile12());
  }

  /** With tiles of six rows, for machines with 16 vector registers. */
  public static GemmKernel ofSixRows() {
    return new GemmKernel(new FloatTile6(), new DoubleTile6());
  }

  /** {@code relaxvm.matmul_integer}, with the same tiles and scratch memory. */
  public CpuKernel ofIntegers() {
    return call -> IntegerGemm.run(call, floatTile, floats);
  }

  /** {@code relaxvm.matmul_residual}, with the same tiles and scratch memory. */
  public CpuKernel ofResiduals() {
    return call -> run(MatrixProduct.ofResidual(call).flat(), call.tensor(1));
  }

  @Override
  public void run(KernelCall call) {
    run(MatrixProduct.of(call).flat(), call.tensor(1));
  }

  /** Computes a product whose right matrices are in panels of a source; none of it is empty. */
  void run(MatrixProduct product, RightSource source) {
    if (product.dtype().equals(DType.FLOAT64)) {
      new Gemm<>(
              doubleTile,
              doubleTile.codec(),
              product,
              source.matrices(doubleTile, doubleTile.codec()),
              doubles)
          .run();
    } else {
      Codec<float[]> codec = Codecs.narrowFloat(product.dtype(), product.floats());
      new Gemm<>(floatTile, codec, product, source.matrices(floatTile, codec), floats).run();
    }
  }

  /** Computes a product. */
  public void run(MatrixProduct product) {
    run(product, (Tensor) null);
  }

  /** Computes a product; the right tensor, where there is one, is known to be constant or not. */
  private void run(MatrixProduct product, @Nullable Tensor right) {
    DType dtype = product.dtype();
    if (!dtype.isFloat()) {
      MatmulKernel.run(product);
    } else if (dtype.equals(DType.FLOAT64)) {
      run(product, right, doubleTile, doubleTile.codec(), DOUBLE_SWEEPS, doubles);
    } else {
      run(
          product,
          right,
          floatTile,
          Codecs.narrowFloat(dtype, product.floats()),
          FLOAT_SWEEPS,
          floats);
    }
  }

  private static <A> void run(
      MatrixProduct product,
      @Nullable Tensor right,
      Tile<A> tile,
      Codec<A> codec,
      MatrixSweeps<A> sweeps,
      ScratchPool<A> pool) {
    if (product.k() == 0 || product.m() == 0 || product.n() == 0 || product.batches() == 0) {
      MatmulKernel.run(product);
      return;
    }
    boolean whole = codec.bytes() == tile.codec().bytes();
    boolean turned = turns(product, tile, codec.bytes());
    boolean kept = right != null && !turned && ConstantPanels.areKept(product, right);
    MatrixProduct oriented = turned ? product.turned() : product;
    if (whole && fitsFewRows(oriented, turned, tile, codec.bytes())) {
      FewRows.run(codec, sweeps, oriented, pool);
    } else if (whole && DirectProduct.fits(oriented, tile, kept)) {
      DirectProduct.run(tile, codec, oriented, pool);
    } else {
      A panels = right == null || turned ? null : ConstantPanels.of(tile, codec, product, right);
      new Gemm<>(tile, codec, oriented, panels, pool).run();
    }
  }

  private static boolean fitsFewRows(
      MatrixProduct product, boolean turned, Tile<?> tile, int bytes) {
    return FewRows.fits(product, bytes) || (turned && FewRows.fitsTurned(product, tile));
  }

  /** Whether turning gives rows of neighbouring elements in the output, or few rows. */
  private static boolean turns(MatrixProduct product, Tile<?> tile, int bytes) {
    int axis = product.rowAxis();
    boolean neighbours = product.out().stride(axis + 1) == bytes;
    if (FewRows.fits(product, bytes) || (neighbours && product.n() > FewRows.mostColumns(tile))) {
      return false;
    }
    MatrixProduct turned = product.turned();
    boolean turnedNeighbours = turned.out().stride(axis + 1) == bytes;
    return fitsFewRows(turned, true, tile, bytes) || (!neighbours && turnedNeighbours);
  }
}
