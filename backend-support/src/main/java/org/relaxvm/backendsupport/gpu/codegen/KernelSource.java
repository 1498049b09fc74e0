package org.relaxvm.backendsupport.gpu.codegen;

import java.util.Map;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.stmt.Stmt;

/**
 * A launch that can be written with indices of 32 and of 64 bits. Immutable and thread-safe.
 *
 * <p>Indices of 32 bits do for all but very large tensors and are faster on most devices; whether
 * they do is known when the extents are.
 */
public final class KernelSource {
  private final Flat.Launch launch;
  private final Indices indices;

  private KernelSource(Flat.Launch launch) {
    this.launch = launch;
    this.indices = Indices.of(launch.stmt());
  }

  /**
   * The source of a launch.
   *
   * @param launch one of {@link org.relaxvm.backendsupport.gpu.ScheduledKernel#launches}
   */
  public static KernelSource of(Stmt launch) {
    return new KernelSource(Flat.Launch.of(launch));
  }

  /**
   * Whether indices need 64 bits.
   *
   * @param extents the values of all integer variables of the kernel
   */
  public boolean needsWideIndices(Map<Var, Long> extents) {
    return !indices.fitInt(launch.stmt(), extents);
  }

  /** The buffers of memory of the device that the kernel is given. */
  public int bufferCount() {
    return KernelPrinter.bufferCount(launch);
  }

  /** The kernel with indices of 64 bits or of 32. */
  LaunchSource print(Dialect dialect, String name, boolean wide, Helpers helpers) {
    return KernelPrinter.print(dialect, name, launch, wide, helpers);
  }
}
