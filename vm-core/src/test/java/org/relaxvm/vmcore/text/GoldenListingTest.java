package org.relaxvm.vmcore.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.vmcore.golden.Goldens;

/** The three dumps against those that Apache TVM printed, byte for byte. */
class GoldenListingTest {
  @TestFactory
  Stream<DynamicTest> textEqualsTheReference() {
    return Goldens.forEach(
        golden ->
            assertThat(ExecutableText.asText(golden.executable()))
                .isEqualTo(golden.text("as_text.txt")));
  }

  @TestFactory
  Stream<DynamicTest> pythonEqualsTheReference() {
    return Goldens.forEach(
        golden ->
            assertThat(ExecutableText.asPython(golden.executable()))
                .isEqualTo(golden.text("as_python.txt")));
  }

  @TestFactory
  Stream<DynamicTest> statsEqualTheReferenceAndFailWhereItFails() {
    return Goldens.forEach(
        golden -> {
          if (golden.has("stats.txt")) {
            assertThat(Stats.compatible(golden.executable())).isEqualTo(golden.text("stats.txt"));
          } else {
            assertThatThrownBy(() -> Stats.compatible(golden.executable()))
                .isInstanceOf(InvalidProgramException.class)
                .hasMessage("the statistics of TVM list no constants of type float64");
          }
        });
  }
}
