package org.relaxvm.integrationtests.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Shape;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.integrationtests.placement.Machines.Placed;

class SeveralDevicesTest {
  private static void assertClose(float[] got, float[] expected) {
    assertThat(got).hasSameSizeAs(expected);
    for (int i = 0; i < got.length; i++) {
      assertThat(got[i]).isCloseTo(expected[i], within(1e-4f * Math.max(1, Math.abs(expected[i]))));
    }
  }

  @Test
  void aSplitProgramGivesWhatTheEvaluatorSays() {
    IRModule module = Machines.parse(Machines.SPLIT);
    List<Placed> args =
        List.of(
            Placed.of(0, Shape.of(2, 4), 0, 1, 2, -1, .5f, -.5f, 3, 0),
            Placed.of(1, Shape.of(4), 1, 2, 3, 4));
    float[] expected = Machines.expected(module, args);
    try (BackendRegistry registry = Machines.registry()) {
      Machines.forEachOption(
          module,
          registry,
          vm -> {
            assertClose(Machines.run(vm, args), expected);
          });
    }
  }
}
