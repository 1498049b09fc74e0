package org.relaxvm.backendcpu.vector.lane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import jdk.incubator.vector.VectorMask;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.tir.scalar.ScalarMemory;

/** Vectors in memory are the scalars in memory, up to the very end of a segment. */
class LaneMemoryTest {
  private static final int VECTORS = 300;

  private static List<Lane> existing() {
    List<Lane> lanes = new ArrayList<>();
    for (DType dtype : Lane.DTYPES) {
      for (Lane lane : Lane.widths(dtype)) {
        boolean exists = LaneMemory.exists(name("load", lane));
        assertThat(LaneMemory.exists(name("store", lane))).isEqualTo(exists);
        assertThat(exists).as("%s", lane).isEqualTo(bytes(lane.dtype()) * lane.lanes() >= 8);
        if (exists) {
          lanes.add(lane);
        }
      }
    }
    return lanes;
  }

  private static String name(String verb, Lane lane) {
    return verb + Lane.capital(lane.dtype().toString()) + (lane.half() ? "Half" : "");
  }

  private static int bytes(DType dtype) {
    return Math.max(1, dtype.bits() / 8);
  }

  @Test
  void loadsReadTheScalars() {
    long seed = Long.getLong("relaxvm.seed", System.nanoTime());
    Random random = new Random(seed);
    for (Lane lane : existing()) {
      Method load = Lane.find(name("load", lane), MemorySegment.class, long.class).orElseThrow();
      Method masked =
          Lane.find(name("load", lane), MemorySegment.class, long.class, VectorMask.class)
              .orElseThrow();
      int size = bytes(lane.dtype());
      for (int round = 0; round < VECTORS; round++) {
        // A segment that ends with the vector, or before.
        int count = round % 2 == 0 ? lane.lanes() : random.nextInt(lane.lanes() + 1);
        try (Arena arena = Arena.ofConfined()) {
          MemorySegment memory = arena.allocate(3 + (long) size * count);
          for (long i = 0; i < memory.byteSize(); i++) {
            memory.set(ValueLayout.JAVA_BYTE, i, (byte) random.nextInt());
          }
          if (count == lane.lanes()) {
            compare(lane, Lane.call(load, memory, 3L), memory, count, seed);
          } else {
            assertThatThrownBy(() -> Lane.call(load, memory, 3L))
                .isInstanceOf(IndexOutOfBoundsException.class);
          }
          compare(lane, Lane.call(masked, memory, 3L, first(lane, count)), memory, count, seed);
        }
      }
    }
  }

  private static Object first(Lane lane, int count) {
    return lane.half() ? LaneConstants.firstLanesHalf(count) : LaneConstants.firstLanes(count);
  }

  private static void compare(Lane lane, Object got, MemorySegment memory, int count, long seed) {
    long[] numbers = lane.numbers(got);
    for (int i = 0; i < numbers.length; i++) {
      long expected =
          i < count
              ? ScalarMemory.read(memory, 3 + (long) i * bytes(lane.dtype()), lane.dtype())
              : 0;
      assertThat(lane.same(expected, numbers[i]))
          .as("lane %d of %s: %x, %x (-Drelaxvm.seed=%d)", i, lane, expected, numbers[i], seed)
          .isTrue();
    }
  }

  @Test
  void storesWriteTheScalarsAndNothingElse() {
    long seed = Long.getLong("relaxvm.seed", System.nanoTime());
    Random random = new Random(seed);
    for (Lane lane : existing()) {
      Method store =
          Lane.find(name("store", lane), MemorySegment.class, long.class, lane.type())
              .orElseThrow();
      Method masked =
          Lane.find(
                  name("store", lane),
                  MemorySegment.class,
                  long.class,
                  lane.type(),
                  VectorMask.class)
              .orElseThrow();
      int size = bytes(lane.dtype());
      long[] numbers = lane.numbers(random, VECTORS);
      for (int at = 0; at + lane.lanes() <= VECTORS; at += lane.lanes()) {
        int count = random.nextInt(lane.lanes() + 1);
        try (Arena arena = Arena.ofConfined()) {
          MemorySegment whole = arena.allocate(3 + (long) size * lane.lanes());
          Object vector = lane.vector(numbers, at);
          Lane.call(store, whole, 3L, vector);
          check(lane, numbers, at, whole, lane.lanes(), seed);
          MemorySegment part = arena.allocate(3 + (long) size * count);
          Lane.call(masked, part, 3L, vector, first(lane, count));
          check(lane, numbers, at, part, count, seed);
          Lane.call(masked, whole.fill((byte) 0), 3L, vector, first(lane, count));
          assertThat(whole.asSlice(part.byteSize()).mismatch(arena.allocate(whole.byteSize())))
              .isIn(-1L, whole.byteSize() - part.byteSize());
        }
      }
    }
  }

  private static void check(
      Lane lane, long[] numbers, int at, MemorySegment memory, int count, long seed) {
    for (int i = 0; i < count; i++) {
      long place = 3 + (long) i * bytes(lane.dtype());
      long got = ScalarMemory.read(memory, place, lane.dtype());
      assertThat(lane.same(numbers[at + i], got))
          .as("lane %d of %s: %x, %x (-Drelaxvm.seed=%d)", i, lane, numbers[at + i], got, seed)
          .isTrue();
    }
    assertThat(memory.get(ValueLayout.JAVA_BYTE, 2)).isZero();
  }
}
