package org.relaxvm.testsupport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NameFilterTest {
  private static NameFilter filter(String... globs) {
    return new NameFilter("relaxvm.kernel", List.of(globs));
  }

  @Test
  void withoutGlobsAllNamesMatch() {
    assertThat(filter().isGiven()).isFalse();
    assertThat(filter().matches("add")).isTrue();
    assertThat(filter()).hasToString("");
  }

  @Test
  void anyOfTheGlobsChoosesAName() {
    NameFilter filter = filter("softmax*", "add_float??");
    assertThat(filter.isGiven()).isTrue();
    assertThat(filter.matches("softmax")).isTrue();
    assertThat(filter.matches("softmax_float32")).isTrue();
    assertThat(filter.matches("log_softmax")).isFalse();
    assertThat(filter.matches("add_float32")).isTrue();
    assertThat(filter.matches("add_float8")).isFalse();
    assertThat(filter).hasToString("-Drelaxvm.kernel=softmax*,add_float??");
  }

  @Test
  void charactersOfPatternsStandForThemselves() {
    assertThat(filter("a.b[1]").matches("a.b[1]")).isTrue();
    assertThat(filter("a.b").matches("axb")).isFalse();
  }
}
