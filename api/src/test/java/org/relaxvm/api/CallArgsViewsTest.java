package org.relaxvm.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.relaxvm.api.engine.RegisterArgs;
import org.relaxvm.api.error.CallException;

class CallArgsViewsTest {
  @Test
  void droppingTheFirstArgumentsKeepsTheOthersAndTheirOrder() {
    CallArgs remaining = CallArgs.of("a", 1L, 2.5, null).dropFirst(1);
    assertThat(remaining.count()).isEqualTo(3);
    assertThat(remaining.toArray()).containsExactly(1L, 2.5, null);
    assertThat(remaining.dropFirst(2).isNull(0)).isTrue();
    assertThat(remaining.dropFirst(3).count()).isZero();
  }

  @Test
  void aViewReadsRegistersAndConstantsOfTheEngine() {
    Object[] refs = {"unused", "r0", ScalarTag.INT};
    long[] bits = {0, 0, 7};
    Object[] constants = {"c0", ScalarTag.FLOAT};
    long[] constantBits = {0, Double.doubleToRawLongBits(1.5)};
    int[] operands = {99, 0, ~1, 1, ~0};
    RegisterArgs args = new RegisterArgs(null, new Object[0], new long[0], new int[0]);
    args.bind(refs, bits, 1, constants, constantBits, operands, 1, 4);
    assertThat(args.dropFirst(1).toArray()).containsExactly(1.5, 7L, "c0");
  }

  @Test
  void moreThanAllArgumentsCannotBeDropped() {
    assertThatThrownBy(() -> CallArgs.of("a").dropFirst(2))
        .isInstanceOf(CallException.class)
        .hasMessage("argument #1 is missing: the call has 1 argument");
  }

  @Test
  void taggedArgumentsAreReadWithoutBoxes() {
    CallArgs args =
        CallArgs.ofTagged(
            null, new Object[] {ScalarTag.INT, "s", ScalarTag.BOOL}, new long[] {5, 0, 1});
    assertThat(args.longAt(0)).isEqualTo(5);
    assertThat(args.stringAt(1)).isEqualTo("s");
    assertThat(args.booleanAt(2)).isTrue();
    assertThat(args.contextOrNull()).isNull();
  }
}
