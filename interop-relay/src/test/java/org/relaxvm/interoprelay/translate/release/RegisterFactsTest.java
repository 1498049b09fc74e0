package org.relaxvm.interoprelay.translate.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.relaxvm.interoprelay.release.Era;
import org.relaxvm.interoprelay.release.ReleasedFunction;
import org.relaxvm.interoprelay.release.ReleasedInstruction;
import org.relaxvm.interoprelay.release.SamplePrograms;

class RegisterFactsTest {
  @Test
  @Timeout(value = 10, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aLongChainOfMovesTakesTimeInProportion() {
    int count = 100_000;
    List<ReleasedInstruction> code = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      code.add(new ReleasedInstruction.Move(i + 1, i));
    }
    code.add(new ReleasedInstruction.AllocDatatype(0, count, List.of()));
    RegisterFacts facts =
        new RegisterFacts(
            SamplePrograms.list(Era.R4),
            new ReleasedFunction("f", List.of(), List.of(), count + 1, code));
    assertThat(facts.isTensor(0)).isFalse();
  }
}
