package org.relaxvm.backendcpu.micro;

import java.lang.foreign.Arena;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Consumer;
import org.relaxvm.backendcpu.jit.MachineCode;
import org.relaxvm.machine.x64.Assembler;

/**
 * Emitted functions for one element type, each emitted when it is first needed and kept for the
 * process. Thread-safe.
 */
final class GemmCode {
  private static final int MOST_ROWS = 16;
  private static final int MOST_VECTORS = 8;
  private static final int TILES = MOST_ROWS * MOST_VECTORS * 2;
  private static final int BLOCK = TILES;
  private static final int PANELS = TILES + 1;
  private static final int TRANSPOSE = TILES + 2;
  private static final int ELEMENTS = TILES + 3;
  private static final int SWEEPS = TILES + 4;
  private static final int MOST_STREAMS = 8;
  private static final int DOTS = SWEEPS + MOST_ROWS * (MOST_STREAMS + 1);
  private static final int COUNT = DOTS + MOST_ROWS * (MOST_STREAMS + 1);

  private final VectorUnit unit;
  private final Element element;
  private final Masks masks;
  private final long one;
  // Addresses; 0 for what was not emitted yet.
  private final AtomicLongArray addresses = new AtomicLongArray(COUNT);

  GemmCode(VectorUnit unit, Element element) {
    this.unit = unit;
    this.element = element;
    masks = Masks.of(unit, element);
    one =
        element == Element.FLOAT64
            ? Arena.global().allocateFrom(ValueLayout.JAVA_DOUBLE, 1).address()
            : Arena.global().allocateFrom(ValueLayout.JAVA_FLOAT, 1).address();
  }

  VectorUnit unit() {
    return unit;
  }

  Element element() {
    return element;
  }

  int lanes() {
    return unit.lanes(element);
  }

  /** What selects the first {@code count} elements of a vector. */
  long mask(int count) {
    return masks.of(count);
  }

  /** The address of the number one. */
  long one() {
    return one;
  }

  /** The tile of so many rows and vectors, the last of which may have the mask of the edge. */
  long tile(int rows, int vectors, boolean hasEdge) {
    int index = (rows * MOST_VECTORS + vectors) * 2 + (hasEdge ? 1 : 0);
    return get(index, assembler -> TileCode.emit(assembler, unit, element, rows, vectors, hasEdge));
  }

  /** The loops over the tiles of a block. */
  long block() {
    return get(BLOCK, assembler -> BlockCode.emit(assembler, unit));
  }

  long panels() {
    return get(PANELS, assembler -> PackCode.emitPanels(assembler, unit, element));
  }

  long transpose() {
    return get(TRANSPOSE, assembler -> PackCode.emitTranspose(assembler, unit, element));
  }

  long elements() {
    return get(ELEMENTS, assembler -> PackCode.emitElements(assembler, element));
  }

  /** GEMV or skinny GEMM with a right matrix of unit stride along rows. */
  long sweep(int rows, int streams) {
    return get(
        SWEEPS + rows * (MOST_STREAMS + 1) + streams,
        assembler -> SkinnyCode.emitSweep(assembler, unit, element, rows, streams));
  }

  /** GEMV or skinny GEMM with a right matrix of unit stride along columns. */
  long dots(int rows, int streams) {
    return get(
        DOTS + rows * (MOST_STREAMS + 1) + streams,
        assembler -> SkinnyCode.emitDots(assembler, unit, element, rows, streams));
  }

  private long get(int index, Consumer<Assembler> emitter) {
    long address = addresses.get(index);
    return address == 0 ? emit(index, emitter) : address;
  }

  private synchronized long emit(int index, Consumer<Assembler> emitter) {
    long address = addresses.get(index);
    if (address == 0) {
      Assembler assembler = Assembler.of(unit.features());
      emitter.accept(assembler);
      address = MachineCode.memory().load(assembler.finish()).address();
      addresses.set(index, address);
    }
    return address;
  }
}
