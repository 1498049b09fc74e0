package org.relaxvm.interoponnx.convert;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class OperatorTableTest {
  private final AtomicInteger completions = new AtomicInteger();
  private final OperatorTable table = common().build(this::complete);

  private static OperatorTable.Builder common() {
    return OperatorTable.builder().add("Common", 1, node -> List.of());
  }

  private OperatorTable complete() {
    completions.incrementAndGet();
    return common()
        .add("Rare", 2, node -> List.of())
        .add("other", "Rare", node -> List.of())
        .refuse("", "Never", "it is not computed")
        .build();
  }

  @Test
  void othersAreAddedOnceWhenOneIsAskedFor() {
    assertThat(table.find("", "Common")).isPresent();
    assertThat(table.problems()).isEmpty();
    assertThat(completions).hasValue(0);
    assertThat(table.find("", "Rare")).map(OperatorTable.Entry::since).contains(2);
    assertThat(table.find("other", "Rare")).isPresent();
    assertThat(table.find("", "None")).isEmpty();
    assertThat(table.refusal("", "Never")).contains("it is not computed");
    assertThat(completions).hasValue(1);
  }

  @Test
  void listsAndBuildersHaveAllOperators() {
    assertThat(table.entries())
        .map(OperatorTable.Entry::name)
        .containsExactly("Common", "Rare", "Rare");
    assertThat(table.refusals()).hasSize(1);
    assertThat(table.hasDomain("other")).isTrue();
    OperatorTable copy = table.toBuilder().add("Own", 1, node -> List.of()).build();
    assertThat(copy.entries()).hasSize(4);
    assertThat(copy.refusals()).hasSize(1);
    assertThat(completions).hasValue(1);
  }
}
