package org.relaxvm.backendcpu.vector.gemm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.relaxvm.backendcpu.vector.gemm.tile.DoubleTile12;
import org.relaxvm.backendcpu.vector.gemm.tile.FloatTile6;
import org.relaxvm.backendcpu.vector.gemm.tile.Tile;

class GemmPlanTest {
  private static final long HUGE = 1L << 40;

  private final Tile<float[]> floats = new FloatTile6();
  private final Tile<double[]> doubles = new DoubleTile12();

  @Test
  void scratchMemoryOfAThreadIsBoundedWhateverTheProduct() {
    for (Tile<?> tile : new Tile<?>[] {floats, doubles}) {
      for (boolean staged : new boolean[] {false, true}) {
        GemmPlan plan = GemmPlan.of(tile, HUGE, HUGE, HUGE, HUGE, 64, staged);
        long bytes = tile.codec().bytes();
        long rows = (long) plan.blockRows() * Tile.ROW_STEP * bytes;
        long panels = (long) plan.unitColumns() * plan.blockDepth() * bytes;
        long stage = staged ? (long) plan.unitRows() * plan.unitColumns() * bytes : 0;
        assertThat(rows + panels + stage).isBetween(1L, 8L << 20);
      }
    }
  }

  @Test
  void piecesAreWholeTilesOfAboutTheSameSize() {
    GemmPlan plan = GemmPlan.of(floats, 1000, 1100, 1030, 1, 1, false);
    assertThat(plan.blockDepth()).isEqualTo(515);
    assertThat(plan.unitColumns() % floats.columns()).isZero();
    assertThat(plan.blockRows() % floats.rows()).isZero();
    assertThat(plan.unitRows()).isEqualTo(1000);
  }

  @Test
  void everyThreadGetsUnitsOfALargeProductAndOneThreadASmallOneWhole() {
    GemmPlan large = GemmPlan.of(floats, 2048, 2048, 2048, 1, 8, false);
    long units =
        Math.ceilDiv(2048L, (long) large.unitRows())
            * Math.ceilDiv(2048L, (long) large.unitColumns());
    assertThat(units).isGreaterThanOrEqualTo(16);
    GemmPlan small = GemmPlan.of(floats, 30, 30, 30, 1, 8, false);
    assertThat(small.unitRows()).isGreaterThanOrEqualTo(30);
    assertThat(small.unitColumns()).isGreaterThanOrEqualTo(30);
  }

  @Test
  void smallProductsOfABatchShareAThread() {
    GemmPlan plan = GemmPlan.of(floats, 8, 8, 8, 10_000, 8, false);
    assertThat(plan.grain(8)).isGreaterThan(100);
  }
}
