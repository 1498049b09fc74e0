package org.relaxvm.backendcpu.vector.movement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Native memory is turned by vectors, by address where nobody can close it; memory of Java arrays
 * by portable code.
 */
class TileTransposeTest {
  private static final int[] SIZES = {0, 1, 3, 8, 16, 17, 32, 33, 100, 150};

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 8})
  void turnsTilesOfAnySize(int bytes) {
    for (int rows : SIZES) {
      for (int columns : SIZES) {
        check(bytes, rows, columns, rows + 3, columns + 5);
        check(bytes, rows, columns, -rows - 1, columns);
        check(bytes, rows, columns, rows, -columns - 2);
      }
    }
  }

  /** Steps are in elements. */
  private static void check(int bytes, int rows, int columns, int fromStep, int toStep) {
    int fromSize = bytes * (Math.abs(fromStep) * columns + rows);
    int toSize = bytes * (Math.abs(toStep) * rows + columns);
    int fromAt = fromStep < 0 ? -fromStep * Math.max(0, columns - 1) * bytes : 0;
    int toAt = toStep < 0 ? -toStep * Math.max(0, rows - 1) * bytes : 0;
    byte[] from = new byte[fromSize];
    new Random(rows * 31L + columns).nextBytes(from);
    byte[] expected = new byte[toSize];
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < columns; j++) {
        System.arraycopy(
            from,
            fromAt + (j * fromStep + i) * bytes,
            expected,
            toAt + (i * toStep + j) * bytes,
            bytes);
      }
    }
    byte[] portable = new byte[toSize];
    TileTranspose.run(
        MemorySegment.ofArray(from),
        fromAt,
        (long) fromStep * bytes,
        MemorySegment.ofArray(portable),
        toAt,
        (long) toStep * bytes,
        rows,
        columns,
        bytes);
    assertThat(portable).isEqualTo(expected);
    try (Arena arena = Arena.ofConfined()) {
      assertThat(turned(arena, from, fromAt, fromStep, toSize, toAt, toStep, rows, columns, bytes))
          .isEqualTo(expected);
    }
    assertThat(
            turned(
                Arena.ofAuto(), from, fromAt, fromStep, toSize, toAt, toStep, rows, columns, bytes))
        .isEqualTo(expected);
  }

  /** Turned in native memory: checked at each access where it can be closed, else by address. */
  private static byte[] turned(
      Arena arena,
      byte[] from,
      int fromAt,
      int fromStep,
      int toSize,
      int toAt,
      int toStep,
      int rows,
      int columns,
      int bytes) {
    MemorySegment target = arena.allocate(toSize);
    TileTranspose.run(
        arena.allocateFrom(ValueLayout.JAVA_BYTE, from),
        fromAt,
        (long) fromStep * bytes,
        target,
        toAt,
        (long) toStep * bytes,
        rows,
        columns,
        bytes);
    return target.toArray(ValueLayout.JAVA_BYTE);
  }

  @ParameterizedTest
  @ValueSource(longs = {-4, 4})
  void whatLeavesItsMemoryIsNeitherReadNorWritten(long at) {
    MemorySegment from = Arena.ofAuto().allocate(4 * 16 * 16).fill((byte) 1);
    MemorySegment to = Arena.ofAuto().allocate(4 * 16 * 16);
    String message = "1024 bytes from byte " + at + " on are not in a buffer of 1024 bytes";
    assertThatThrownBy(() -> TileTranspose.run(from, at, 64, to, 0, 64, 16, 16, 4))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage(message);
    assertThatThrownBy(() -> TileTranspose.run(from, 0, 64, to, at, 64, 16, 16, 4))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage(message);
    assertThat(to.toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
  }

  @Test
  void readOnlyMemoryIsNotWritten() {
    MemorySegment from = Arena.ofAuto().allocate(4 * 16 * 16).fill((byte) 1);
    MemorySegment to = Arena.ofAuto().allocate(4 * 16 * 16);
    MemorySegment readOnly = to.asReadOnly();
    assertThatThrownBy(() -> TileTranspose.run(from, 0, 64, readOnly, 0, 64, 16, 16, 4))
        .isInstanceOf(UnsupportedOperationException.class)
        .hasMessage("Attempt to write a read-only segment");
    assertThat(to.toArray(ValueLayout.JAVA_BYTE)).containsOnly(0);
  }

  @Test
  void laterRowsWinWhereRowsOverlap() {
    int side = 32;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment from = arena.allocate(4L * side * side);
      for (int i = 0; i < side * side; i++) {
        from.setAtIndex(ValueLayout.JAVA_INT, i, i);
      }
      MemorySegment to = arena.allocate(8L * side);
      TileTranspose.run(from, 0, 4L * side, to, 0, 4, side, side, 4);
      for (int i = 0; i < side; i++) {
        assertThat(to.getAtIndex(ValueLayout.JAVA_INT, i)).isEqualTo(i);
      }
      for (int j = 1; j < side; j++) {
        assertThat(to.getAtIndex(ValueLayout.JAVA_INT, side - 1 + j))
            .isEqualTo(j * side + side - 1);
      }
    }
  }
}
