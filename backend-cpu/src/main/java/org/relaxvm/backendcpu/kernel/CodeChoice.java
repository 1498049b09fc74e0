package org.relaxvm.backendcpu.kernel;

import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcpu.element.FloatLanes;
import org.relaxvm.backendcpu.element.Lanes;

/**
 * What kernels of many kinds compute with, in vector code or portable.
 *
 * @param floats arithmetic in float32
 * @param blocks moves of blocks; null where elements are moved run by run
 * @param selection between elements where they lie; null where that is done in arrays
 */
public record CodeChoice(
    Lanes<float[]> floats, @Nullable BlockMoves blocks, @Nullable Selection selection) {
  /** Portable code. */
  public static CodeChoice portable() {
    return new CodeChoice(new FloatLanes(), null, null);
  }
}
