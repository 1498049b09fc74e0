package org.relaxvm.tir.library;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.tir.expr.IntImm;

/** Which extents of a call are the same in its kernel. */
class CallExtentsTest {
  @Test
  void equalExtentsAreOneVariableAndNoneAndOneAreConstants() {
    CallExtents extents = CallExtents.symbolic(List.of());
    assertThat(extents.of(5)).isSameAs(extents.of(5)).isNotEqualTo(extents.of(7));
    assertThat(extents.of(0)).isEqualTo(IntImm.of(0));
    assertThat(extents.of(1)).isEqualTo(IntImm.of(1));
  }

  @Test
  void callsWithTheSamePatternHaveTheSameCodes() {
    assertThat(codes(4, 5, 4, 1)).isEqualTo(codes(9, 2, 9, 1)).isNotEqualTo(codes(4, 5, 5, 1));
    assertThat(codes(4, 5, 4, 1)).isNotEqualTo(codes(4, 5, 4, 0));
  }

  @Test
  void whatHasToBeKnownIsAConstantWhereverItIs() {
    CallExtents extents = CallExtents.symbolic(List.of(64L));
    assertThat(extents.of(64)).isEqualTo(IntImm.of(64));
    assertThat(extents.code(64)).isEqualTo(64);
    assertThat(CallExtents.constant().of(7)).isEqualTo(IntImm.of(7));
  }

  private static List<Long> codes(long... extents) {
    CallExtents call = CallExtents.symbolic(List.of());
    return Arrays.stream(extents).mapToObj(call::code).toList();
  }
}
