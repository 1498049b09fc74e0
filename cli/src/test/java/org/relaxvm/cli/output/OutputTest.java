package org.relaxvm.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;

class OutputTest {
  private final StringWriter err = new StringWriter();

  @Test
  void tablesAlignTheirColumns() {
    assertThat(new TextTable().row("a", 1).row("long", 22, "x").lines("  "))
        .containsExactly("  a     1", "  long  22  x");
  }

  @Test
  void paragraphsKeepToTheirColumn() {
    TextTable table = new TextTable().row("a", 1).paragraph("long", "one, two, three, fourteen", 9);
    assertThat(table.lines("  "))
        .containsExactly("  a     1", "  long  one, two,", "        three,", "        fourteen");
  }

  @Test
  void listsAreShortened() {
    List<String> names = List.of("a", "b", "c", "d");
    assertThat(Shortened.names(names, 4)).isEqualTo("a, b, c, d");
    assertThat(Shortened.names(names, 2)).isEqualTo("a, b and 2 more");
    assertThat(Shortened.rows(names, 4)).isEqualTo(names);
    assertThat(Shortened.rows(names, 3)).containsExactly("a", "b", "  and 2 more; --json has all");
  }

  @Test
  void barsAreRankedAndRelativeToOne() {
    List<ScoreBars.Score> ranked =
        ScoreBars.ranked(List.of("no", "yes"), new float[] {0.25f, 0.75f});
    assertThat(ScoreBars.lines(ranked, console(false)))
        .containsExactly(
            "  yes  ██████████████████████▌         0.7500",
            "  no   ███████▌                        0.2500");
  }

  @Test
  void colourIsForTerminalsOnly() {
    assertThat(console(false).styled(Console.Style.GOOD, "ok")).isEqualTo("ok");
    assertThat(console(true).styled(Console.Style.GOOD, "ok")).isEqualTo("\u001b[32mok\u001b[0m");
  }

  @Test
  void progressOfShortWorkPrintsNothing() {
    try (Progress progress = new Progress(console(true), "working", 3)) {
      progress.step();
      progress.step();
      progress.step();
    }
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void valuesAreShownWithTheirKind() {
    assertThat(ValueText.display(Tuple.of(1L, "a", null)))
        .isEqualTo("tuple of 3\n(0) 1\n(1) \"a\"\n(2) null");
    assertThat(ValueText.json(Tensor.of(new int[] {1, 2}, Shape.of(2))))
        .hasToString("{dtype=int32, shape=[2], data=[1, 2]}");
  }

  private Console console(boolean terminal) {
    return new Console(new PrintWriter(new StringWriter()), new PrintWriter(err), terminal);
  }
}
