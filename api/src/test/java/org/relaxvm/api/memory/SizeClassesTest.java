package org.relaxvm.api.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class SizeClassesTest {
  private static long rounded(long byteSize) {
    return SizeClasses.blockBytes(SizeClasses.indexOf(byteSize));
  }

  @Test
  void smallSizesAreMultiplesOfPages() {
    assertThat(rounded(0)).isZero();
    assertThat(rounded(1)).isEqualTo(4096);
    assertThat(rounded(4095)).isEqualTo(4096);
    assertThat(rounded(4096)).isEqualTo(4096);
    assertThat(rounded(4097)).isEqualTo(8192);
    assertThat(rounded(65_536)).isEqualTo(65_536);
    assertThat(rounded(65_537)).isEqualTo(73_728);
  }

  @Test
  void everyClassHoldsItsOwnSizeAndTheClassesGrow() {
    for (int i = 0; i < SizeClasses.COUNT; i++) {
      long bytes = SizeClasses.blockBytes(i);
      assertThat(SizeClasses.indexOf(bytes)).isEqualTo(i);
      if (i > 0) {
        assertThat(bytes).isGreaterThan(SizeClasses.blockBytes(i - 1)).isEqualTo(bytes & -4096);
      }
    }
    assertThat(SizeClasses.blockBytes(SizeClasses.COUNT - 1)).isEqualTo(SizeClasses.MAX_BYTES);
  }

  @Test
  void largeSizesWasteAnEighthAtMost() {
    long seed = Long.getLong("relaxvm.seed", System.nanoTime());
    System.out.println("SizeClassesTest: -Drelaxvm.seed=" + seed);
    Random random = new Random(seed);
    for (int i = 0; i < 10_000; i++) {
      long byteSize = random.nextLong(65_537, SizeClasses.MAX_BYTES + 1) >>> random.nextInt(44);
      long block = rounded(byteSize);
      assertThat(block).isGreaterThanOrEqualTo(byteSize);
      if (byteSize > 65_536) {
        assertThat(block - byteSize).isLessThanOrEqualTo(byteSize / 8);
      }
    }
  }
}
