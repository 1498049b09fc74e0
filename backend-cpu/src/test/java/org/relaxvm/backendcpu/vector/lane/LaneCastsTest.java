package org.relaxvm.backendcpu.vector.lane;

import java.lang.reflect.Method;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.tir.scalar.Scalars;

/** Each lane of a cast is what the cast gives of its scalar; there is a method for every pair. */
class LaneCastsTest {
  private static final int NUMBERS = 20_000;

  @Test
  void eachLaneIsTheScalar() {
    long seed = Long.getLong("relaxvm.seed", System.nanoTime());
    for (DType from : Lane.DTYPES) {
      for (DType to : Lane.DTYPES) {
        if (!from.equals(to)) {
          for (Lane lane : Lane.widths(to.bits() == 64 ? to : from)) {
            check(new Lane(from, lane.half()), new Lane(to, lane.half()), seed);
          }
        }
      }
    }
  }

  private static void check(Lane from, Lane to, long seed) {
    String name = from.dtype() + "To" + Lane.capital(to.dtype().toString());
    Method method = Lane.find(name, from.type()).orElseThrow(() -> new AssertionError(name));
    long[] a = from.numbers(new Random(seed), NUMBERS);
    for (int at = 0; at + from.lanes() <= NUMBERS; at += from.lanes()) {
      long[] got = to.numbers(Lane.call(method, from.vector(a, at)));
      for (int i = 0; i < got.length; i++) {
        long expected = Scalars.cast(from.dtype(), to.dtype(), a[at + i]);
        if (!to.same(expected, got[i])) {
          throw new AssertionError(
              "%s(%s) is %s, but lane %d of %s is %s (-Drelaxvm.seed=%d)"
                  .formatted(
                      name,
                      Scalars.text(from.dtype(), a[at + i]),
                      Scalars.text(to.dtype(), expected),
                      i,
                      from,
                      Scalars.text(to.dtype(), got[i]),
                      seed));
        }
      }
    }
  }
}
