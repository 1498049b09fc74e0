package org.relaxvm.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ClosureTest {
  private static final PackedFunc NOTHING = (args, result) -> {};

  @Test
  void laterBindingsStandInFrontOfEarlierOnes() {
    Closure closure = Closure.of("f", NOTHING).bind(1L, 2L).bind("y");
    assertThat(closure.bound()).containsExactly("y", 1L, 2L);
    assertThat(closure.boundCount()).isEqualTo(3);
    assertThat(closure.boundAt(0)).isEqualTo("y");
    assertThat(closure.target()).isSameAs(NOTHING);
    assertThat(closure).hasToString("closure of f with 3 bound values");
  }

  @Test
  void boundValuesLiveAsLongAsTheClosuresThatBindThem() {
    Tensor tensor = Tensor.scalar(1L);
    Closure first = Closure.of("f", NOTHING).bind(tensor);
    Closure second = first.bind(2L);
    Closure handle = second.newHandle();
    tensor.close();
    first.close();
    second.close();
    assertThat(tensor.isLive()).isTrue();
    assertThat(handle.functionName()).isEqualTo("f");
    handle.close();
    assertThat(tensor.isLive()).isFalse();
  }
}
