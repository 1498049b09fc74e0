package org.relaxvm.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.relaxvm.compiler.dsl.StandardOps;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.vmcore.program.Program;

/** Functions with many bindings are read and compiled in time that grows with their number. */
class LargeProgramsTest {
  /** With steps of which each looks at all before it this test would take half an hour. */
  private static final int BINDINGS = 20_000;

  @Test
  void eachOfManyMatchCastsMayDefineASymbol() {
    String casts =
        IntStream.range(0, BINDINGS)
            .mapToObj(
                i ->
                    "        y%1$d = R.match_cast(x, R.Tensor((\"n%1$d\",), \"float32\"))%n"
                        .formatted(i))
            .collect(Collectors.joining());
    String text =
        """
        @I.ir_module
        class Module:
            @R.function
            def main(x: R.Tensor(dtype="float32", ndim=1)):
        """
            + casts
            + "        return y"
            + (BINDINGS - 1)
            + "\n";
    IRModule module = RelaxText.parse(text, "casts", StandardOps.registry());
    Program program = Compiler.compile(module);
    assertThat(program.executable().instructionCount()).isGreaterThan(BINDINGS);
    assertThat(RelaxText.print(module)).contains("y" + (BINDINGS - 1) + ": R.Tensor((n19999,)");
  }
}
