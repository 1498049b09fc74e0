package org.relaxvm.vmcore.executable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.vmcore.executable.SourceNodes.Range;

class SourceNodesTest {
  private static final SourceNodes NODES =
      new SourceNodes(
          List.of(new Range(1, 3, List.of("/a", "/b")), new Range(5, 6, List.of("/c"))));

  @Test
  void anInstructionHasTheNodesOfItsRange() {
    assertThat(NODES.at(0)).isEmpty();
    assertThat(NODES.at(1)).containsExactly("/a", "/b");
    assertThat(NODES.at(2)).containsExactly("/a", "/b");
    assertThat(NODES.at(3)).isEmpty();
    assertThat(NODES.at(5)).containsExactly("/c");
    assertThat(NODES.at(6)).isEmpty();
    assertThat(SourceNodes.NONE.at(0)).isEmpty();
  }

  @Test
  void aFunctionHasTheNodesOfAllItsCalls() {
    ExecBuilder builder = new ExecBuilder();
    builder.function(
        "main",
        List.of("x"),
        body -> {
          for (String kernel : List.of("other", "add", "other", "add", "add", "add")) {
            builder.emitCall(kernel, List.of(builder.r(0)));
          }
          builder.emitRet(builder.r(0));
        });
    Executable executable = builder.get();
    assertThat(NODES.ofCalls(executable, "add")).containsExactly("/a", "/b", "/c");
    assertThat(NODES.ofCalls(executable, "other")).containsExactly("/a", "/b");
    assertThat(NODES.ofCalls(executable, "unknown")).isEmpty();
    SourceNodes beyond = new SourceNodes(List.of(new Range(100, Long.MAX_VALUE, List.of("/z"))));
    assertThat(beyond.ofCalls(executable, "add")).isEmpty();
  }

  @Test
  void manyNodesAreShownByTheFirstAndTheLast() {
    assertThat(SourceNodes.text(List.of())).isEmpty();
    assertThat(SourceNodes.text(List.of("/a", "/b", "/c"))).isEqualTo("/a, /b, /c");
    assertThat(SourceNodes.text(List.of("/a", "/b", "/c", "/d"))).isEqualTo("/a ... /d (4 nodes)");
  }

  @Test
  void adjacentInstructionsOfTheSameNodesAreOneRange() {
    SourceNodes.Builder builder = new SourceNodes.Builder();
    assertThat(builder.set(List.of("/a"), 0)).isEmpty();
    assertThat(builder.set(List.of(), 2)).containsExactly("/a");
    builder.set(List.of("/a"), 2);
    builder.set(List.of("/b"), 4);
    builder.set(List.of("/a"), 4);
    builder.set(List.of(), 5);
    assertThat(builder.build().ranges()).containsExactly(new Range(0, 5, List.of("/a")));
  }

  @Test
  void rangesAreInOrder() {
    assertThatThrownBy(
            () ->
                new SourceNodes(
                    List.of(new Range(0, 3, List.of("/a")), new Range(2, 4, List.of("/b")))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the range of instructions 2 to 4 is not after 3");
  }
}
