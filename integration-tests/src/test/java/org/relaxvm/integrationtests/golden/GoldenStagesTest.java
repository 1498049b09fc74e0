package org.relaxvm.integrationtests.golden;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.compiler.StandardPipelines;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassContext;
import org.relaxvm.compiler.wellformed.WellFormed;

/**
 * Our passes make of a module what those of the original compiler make of it, pass by pass, but for
 * what {@link ExpectedDifference} lists.
 */
class GoldenStagesTest {
  private static final Path REASONS = Path.of("../docs/compatibility.md");

  @ParameterizedTest
  @ValueSource(
      strings = {"02-ones-cast-dynamic", "03-mlp-dynamic-batch", "05-cnn", "06-control-flow"})
  void eachPassGivesTheNextStage(String name) throws IOException {
    compare(name, ExpectedDifference.Way.STEP);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"02-ones-cast-dynamic", "03-mlp-dynamic-batch", "05-cnn", "06-control-flow"})
  void allPassesGiveEachStage(String name) throws IOException {
    compare(name, ExpectedDifference.Way.CHAIN);
  }

  @Test
  void eachDifferenceHasItsReason() throws IOException {
    String text = Files.readString(REASONS);
    int start = text.indexOf("## Relax IR and passes");
    List<String> rows =
        text.substring(start, text.indexOf("\n## ", start))
            .lines()
            .filter(line -> line.startsWith("| "))
            .toList();
    assertThat(ExpectedDifference.ALL)
        .extracting(ExpectedDifference::row)
        .allMatch(
            row -> rows.stream().filter(line -> line.startsWith("| " + row + " |")).count() == 1);
  }

  private static void compare(String name, ExpectedDifference.Way way) throws IOException {
    SequencedMap<String, IRModule> stages = GoldenModules.stages(name);
    assertThat(stages.firstEntry().getKey()).isEqualTo("00-source");
    assertThat(stages).hasSize(17);
    List<String> wrong = new ArrayList<>();
    IRModule before = stages.firstEntry().getValue();
    for (Map.Entry<String, IRModule> stage : List.copyOf(stages.entrySet()).subList(1, 17)) {
      int number = Integer.parseInt(stage.getKey().substring(0, 2));
      IRModule ours = pass(stage.getKey().substring(3)).run(before, PassContext.DEFAULT);
      WellFormed.check(ours);
      Set<StageDifference> found =
          StageDifference.between(CanonicalModule.of(stage.getValue()), CanonicalModule.of(ours));
      Set<StageDifference> expected = expected(name, way, number);
      found.stream()
          .filter(difference -> !expected.contains(difference))
          .forEach(difference -> wrong.add(stage.getKey() + ": not listed: " + difference));
      expected.stream()
          .filter(difference -> !found.contains(difference))
          .forEach(difference -> wrong.add(stage.getKey() + ": gone: " + difference));
      before = way == ExpectedDifference.Way.STEP ? stage.getValue() : ours;
    }
    assertThat(wrong).as("%s, %s", name, way).isEmpty();
  }

  private static Pass pass(String name) {
    return StandardPipelines.zero().then(StandardPipelines.lowering()).passes().stream()
        .filter(pass -> pass.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no pass " + name));
  }

  private static Set<StageDifference> expected(String name, ExpectedDifference.Way way, int stage) {
    Set<StageDifference> expected = new LinkedHashSet<>();
    for (ExpectedDifference listed : ExpectedDifference.ALL) {
      if (listed.isIn(name, way, stage)) {
        assertThat(expected.add(listed.difference())).as("listed twice: %s", listed).isTrue();
      }
    }
    return expected;
  }
}
