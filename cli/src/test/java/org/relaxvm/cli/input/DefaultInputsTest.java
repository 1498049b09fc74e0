package org.relaxvm.cli.input;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.vmcore.program.Dim;
import org.relaxvm.vmcore.program.ProgramMetadata;
import org.relaxvm.vmcore.program.TensorSpec;

class DefaultInputsTest {
  private static final ProgramMetadata METADATA =
      ProgramMetadata.builder()
          .function("main")
          .input(TensorSpec.of("x", DType.FLOAT32, Dim.symbol("n"), Dim.of(3)))
          .input(TensorSpec.of("y", DType.INT64))
          .build();

  @Test
  void eachInputOfTheDescribedFunctionIsRandom() {
    assertThat(DefaultInputs.of(METADATA, "main"))
        .containsExactly("random:1x3:float32", "random:scalar:int64");
    assertThat(DefaultInputs.of(METADATA, "other")).isEmpty();
    assertThat(DefaultInputs.of(ProgramMetadata.EMPTY, "main")).isEmpty();
  }
}
