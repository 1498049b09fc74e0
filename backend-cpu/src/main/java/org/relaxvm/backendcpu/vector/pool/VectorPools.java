package org.relaxvm.backendcpu.vector.pool;

import org.relaxvm.api.DType;
import org.relaxvm.backendcpu.kernel.PoolKernels;
import org.relaxvm.backendcpu.kernel.Pooling;
import org.relaxvm.backendcpu.kernel.Window;
import org.relaxvm.backendcpu.vector.conv.Pool;

/** Pooling of floats of up to 32 bits. Keeps scratch memory; thread-safe. */
public final class VectorPools implements PoolKernels.Other {
  /** Elements of a unit that arrays hold with ease. */
  private static final double MOST_ELEMENTS = 1 << 26;

  private final Pool<PoolScratch> pool = new Pool<>(PoolScratch::new);

  /** Creates the kernels, where vectors were chosen. */
  public VectorPools() {}

  @Override
  public boolean run(Pooling pooling) {
    if (!pooling.dtype().isFloat()
        || pooling.dtype().equals(DType.FLOAT64)
        || !fitsArrays(pooling)) {
      return false;
    }
    if (pooling.out().dim(0) > 0
        && pooling.out().dim(1) > 0
        && pooling.out().dim(2) > 0
        && pooling.out().dim(3) > 0) {
      new WindowPooling(pooling, pooling.max() ? new MaximumFold() : new SumFold(), pool).run();
    }
    return true;
  }

  /** Whether a few rows of a plane can be in an array. */
  private static boolean fitsArrays(Pooling pooling) {
    double width =
        (double) pooling.in().dim(3) + pooling.out().dim(3) + span(pooling.windows().horizontal());
    double height =
        span(pooling.windows().vertical()) + 8.0 * pooling.windows().vertical().stride();
    return width * height < MOST_ELEMENTS && pooling.out().dim(2) < 1 << 28;
  }

  private static double span(Window window) {
    return window.size() * (double) Math.max(window.dilation(), window.stride());
  }
}
