package org.relaxvm.backendcpu.vector;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;
import org.relaxvm.backendcpu.kernel.normalization.FloatChannels;

/** Normalizes in vector code, on the way from memory into an array. */
public final class VectorChannels implements FloatChannels {
  private static final VectorSpecies<Float> SPECIES = Species.FLOAT;
  private static final int LANES = SPECIES.length();
  private static final long BYTES = Float.BYTES;
  private static final ByteOrder ORDER = ByteOrder.nativeOrder();

  /** Creates it, where {@link VectorChoice} fell on vectors. */
  public VectorChannels() {}

  @Override
  public void one(
      MemorySegment x, long at, int count, float centre, float factor, float beta, float[] to) {
    FloatVector centres = FloatVector.broadcast(SPECIES, centre);
    FloatVector factors = FloatVector.broadcast(SPECIES, factor);
    FloatVector betas = FloatVector.broadcast(SPECIES, beta);
    int whole = count - count % LANES;
    for (int i = 0; i < whole; i += LANES) {
      load(x, at + i * BYTES).sub(centres).fma(factors, betas).intoArray(to, i);
    }
    if (count < LANES) {
      for (int i = 0; i < count; i++) {
        to[i] = Math.fma(element(x, at, i) - centre, factor, beta);
      }
    } else {
      // The last vector lies over results that are there already.
      int last = count - LANES;
      load(x, at + last * BYTES).sub(centres).fma(factors, betas).intoArray(to, last);
    }
  }

  @Override
  public void each(
      MemorySegment x,
      long at,
      int count,
      float[] centre,
      float[] factor,
      float[] beta,
      float[] to,
      int start) {
    int whole = count - count % LANES;
    for (int i = 0; i < whole; i += LANES) {
      load(x, at + i * BYTES)
          .sub(load(centre, i))
          .fma(load(factor, i), load(beta, i))
          .intoArray(to, start + i);
    }
    for (int i = whole; i < count; i++) {
      to[start + i] = Math.fma(element(x, at, i) - centre[i], factor[i], beta[i]);
    }
  }

  private static float element(MemorySegment x, long at, int number) {
    return x.get(JAVA_FLOAT_UNALIGNED, at + number * BYTES);
  }

  private static FloatVector load(MemorySegment x, long at) {
    return FloatVector.fromMemorySegment(SPECIES, x, at, ORDER);
  }

  private static FloatVector load(float[] x, int at) {
    return FloatVector.fromArray(SPECIES, x, at);
  }
}
