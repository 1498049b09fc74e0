package org.relaxvm.backendsupport.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class KernelKeyTest {
  private static final KernelKey KEY = new KernelKey("source", "device", "driver", "options");

  @Test
  void aKeyIsTheSameInEveryProcess() {
    assertThat(KEY.id())
        .isEqualTo("b9e639e8df3c902278d1e1e6544bb188af29a2c9799e225c7c717c6604f5afbe");
  }

  @Test
  void eachPartMakesAnotherKey() {
    List<KernelKey> keys =
        List.of(
            KEY,
            new KernelKey("Source", "device", "driver", "options"),
            new KernelKey("source", "Device", "driver", "options"),
            new KernelKey("source", "device", "Driver", "options"),
            new KernelKey("source", "device", "driver", "Options"));
    assertThat(keys).extracting(KernelKey::id).doesNotHaveDuplicates();
  }

  @Test
  void whereAPartEndsIsPartOfTheKey() {
    List<KernelKey> keys =
        List.of(
            new KernelKey("ab", "c", "", ""),
            new KernelKey("a", "bc", "", ""),
            new KernelKey("abc", "", "", ""),
            new KernelKey("", "abc", "", ""),
            new KernelKey("", "", "abc", ""),
            new KernelKey("", "", "", "abc"));
    assertThat(keys).extracting(KernelKey::id).doesNotHaveDuplicates();
  }

  @Test
  void theTextOfAKeyIsShortWhateverTheSourceIs() {
    assertThat(new KernelKey("x".repeat(100_000), "a device", "1.2", "-O3"))
        .hasToString("kernel 7dc9e6ac6a8c for a device, driver 1.2");
  }
}
