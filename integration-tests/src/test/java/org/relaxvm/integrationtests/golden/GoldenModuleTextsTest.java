package org.relaxvm.integrationtests.golden;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.rewrite.StructuralEquality;
import org.relaxvm.compiler.text.RelaxText;
import org.relaxvm.compiler.wellformed.WellFormed;

/** Whole modules as the original compiler prints them after each step come back from our form. */
class GoldenModuleTextsTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"02-ones-cast-dynamic", "03-mlp-dynamic-batch", "05-cnn", "06-control-flow"})
  void modulesOfEachStepComeBackFromOurForm(String name) throws IOException {
    List<Path> files = GoldenTexts.of(name);
    assertThat(files).hasSize(17);
    List<Tensor> constants = GoldenModules.constants(name);
    for (Path file : files) {
      IRModule module =
          RelaxText.parse(Files.readString(file), file.toString(), GoldenModules.OPS, constants);
      WellFormed.check(module);
      RelaxText.Printed printed = RelaxText.printWithConstants(module);
      IRModule again =
          RelaxText.parse(printed.text(), "printed", GoldenModules.OPS, printed.constants());
      assertThat(StructuralEquality.areEqual(module, again))
          .as("%s:%n%s", file, printed.text())
          .isTrue();
      assertThat(RelaxText.print(again)).isEqualTo(printed.text());
    }
  }
}
