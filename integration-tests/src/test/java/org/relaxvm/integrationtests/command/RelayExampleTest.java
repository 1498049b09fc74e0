package org.relaxvm.integrationtests.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongBinaryOperator;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;
import org.relaxvm.interoprelay.proposal.interp.RelayInterpreter;
import org.relaxvm.interoprelay.proposal.text.RelayText;

/** The example of a Relay program, from its text to its result. */
class RelayExampleTest {
  private static final Path PROGRAM = Path.of("../examples/relay/list.relay");
  private static final long SUM = 3 * (1 + 4 + 9 + 16);

  @Test
  void theCommandPrintsTheSum() {
    CommandRun run = CommandRun.of("run", PROGRAM);
    assertThat(run.err()).isEmpty();
    assertThat(run.out()).contains(String.valueOf(SUM));
    assertThat(run.code()).isZero();
  }

  @Test
  void theInterpreterComputesTheSum() throws IOException {
    Map<String, PackedFunc> functions =
        Map.of(
            "relaxvm.add", scalar(Long::sum),
            "relaxvm.multiply", scalar((a, b) -> a * b),
            "relaxvm.less", scalar((a, b) -> a < b ? 1 : 0));
    RelayInterpreter interpreter =
        new RelayInterpreter(
            RelayText.parse(Files.readString(PROGRAM)),
            name -> Optional.ofNullable(functions.get(name)));
    try (Value sum = interpreter.call("main")) {
      assertThat(sum.asTensor().longAt()).isEqualTo(SUM);
    }
  }

  @Test
  void theProgramOfTheDocumentRuns() throws IOException {
    String document = Files.readString(Path.of("../docs/relay.md"));
    int start = document.indexOf("packed 0 =");
    String text = document.substring(start, document.indexOf("```", start));
    PackedFunc second = (args, _) -> args.tensorAt(1).copyInto(args.tensorAt(2));
    RelayInterpreter interpreter =
        new RelayInterpreter(RelayText.parse(text), _ -> Optional.of(second));
    Tensor input = Tensor.of(new float[] {5, 6, 7, 8}, Shape.of(4));
    try (Value yes = interpreter.call("main", true, input);
        Value no = interpreter.call("main", false, input)) {
      assertThat(yes.asTensor().toFloatArray()).containsExactly(1, 2, 3, 4);
      assertThat(no.asTensor().toFloatArray()).containsExactly(5, 6, 7, 8);
    }
  }

  private static PackedFunc scalar(LongBinaryOperator operator) {
    return (args, _) ->
        args.tensorAt(2)
            .fill(operator.applyAsLong(args.tensorAt(0).longAt(), args.tensorAt(1).longAt()));
  }
}
