package org.relaxvm.api.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.InvalidProgramException;

class ModuleImageTest {
  private static final MemorySegment BYTES = MemorySegment.ofArray(new byte[3]);

  private static KernelEntry entry(String name) {
    return new KernelEntry(name, List.of(), List.of());
  }

  @Test
  void entriesAreOptional() {
    assertThat(new ModuleImage("ptx", List.of("f"), BYTES).entries()).isEmpty();
    ModuleImage image = new ModuleImage("ptx", List.of("f", "g"), BYTES, List.of(entry("g")));
    assertThat(image.entries()).containsExactly(entry("g"));
    assertThat(image.bytes().isReadOnly()).isTrue();
  }

  @Test
  void anEntryIsASymbolOnce() {
    for (List<KernelEntry> entries :
        List.of(List.of(entry("h")), List.of(entry("h"), entry("h")))) {
      assertThatThrownBy(() -> new ModuleImage("ptx", List.of("f"), BYTES, entries))
          .isInstanceOf(InvalidProgramException.class)
          .hasMessage(
              "entry 'h' of a module image must be one of its symbols, once; the symbols are [f]");
    }
    assertThatThrownBy(
            () -> new ModuleImage("ptx", List.of("f"), BYTES, List.of(entry("f"), entry("f"))))
        .isInstanceOf(InvalidProgramException.class)
        .hasMessage(
            "entry 'f' of a module image must be one of its symbols, once; the symbols are [f]");
  }
}
