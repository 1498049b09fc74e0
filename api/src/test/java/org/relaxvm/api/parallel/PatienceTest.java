package org.relaxvm.api.parallel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PatienceTest {
  @Test
  void aConditionThatComesTrueEndsTheWait() {
    AtomicInteger asked = new AtomicInteger();
    assertThat(Patience.awaits(() -> asked.incrementAndGet() == 10)).isTrue();
    assertThat(asked).hasValue(10);
  }

  @Test
  void whatDoesNotComeTrueIsGivenUp() {
    assertThat(Patience.awaits(() -> false)).isFalse();
  }
}
