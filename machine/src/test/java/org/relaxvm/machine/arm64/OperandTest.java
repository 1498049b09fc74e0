package org.relaxvm.machine.arm64;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Operands that do not exist are refused; names are those of the manual. */
class OperandTest {
  @Test
  void thirtyOneIsTheZeroRegisterOrTheStackPointer() {
    assertThatThrownBy(() -> Gp.x(31))
        .hasMessage("31 is no number of a general-purpose register; use Gp.XZR or Gp.SP");
    assertThatThrownBy(() -> Gp.w(31))
        .hasMessage("31 is no number of a general-purpose register; use Gp.WZR or Gp.WSP");
    assertThatThrownBy(() -> new Gp(3, 64, true))
        .hasMessageContaining("got number 3, 64 bits, sta");
    assertThat(Gp.SP.low32()).isEqualTo(Gp.WSP);
    assertThat(Gp.XZR.low32()).isEqualTo(Gp.WZR).hasToString("wzr");
  }

  @Test
  void registersHaveNumbersUpTo31() {
    assertThatThrownBy(() -> Vector.s4(32))
        .hasMessage("a vector register has a number from 0 to 31, but got 32");
    assertThatThrownBy(() -> Scalar.s(-1)).hasMessageContaining("but got number -1, 32 bits");
    assertThatThrownBy(() -> Vector.s4(1).element(4))
        .hasMessage("an index of s is from 0 to 3, but got 4");
    assertThatThrownBy(() -> VectorList.of(Vector.b8(0), 5))
        .hasMessage("a list has 1 to 4 registers, but got 5");
    assertThatThrownBy(() -> Arrangement.of(3, 16)).hasMessageEndingWith("of 3");
    assertThat(VectorList.of(Vector.b8(30), 3)).hasToString("{v30.8b, v31.8b, v0.8b}");
  }

  @Test
  void partsOfAnAddressGoTogether() {
    assertThatThrownBy(() -> Address.of(Gp.w(0)))
        .hasMessage("the base of an address is a 64-bit register or sp, but got w0");
    assertThatThrownBy(() -> Address.of(Gp.XZR)).hasMessageEndingWith("got xzr");
    assertThatThrownBy(() -> Address.of(Gp.x(0), Gp.x(1)).plus(8))
        .hasMessageContaining("an address with an index has no other offset");
    assertThatThrownBy(() -> new Address(Gp.x(0), 8, Address.Mode.OFFSET, null, Modifier.lsl(1)))
        .hasMessageEndingWith("but got lsl #1");
    assertThat(Address.pre(Gp.x(0), 8).plus(8)).hasToString("[x0, #16]!");
    assertThatThrownBy(() -> Modifier.lsl(64)).hasMessage("a shift is by 0 to 63 bits, but got 64");
  }

  @Test
  void floatsOfMovesHaveFourSignificantBitsAfterTheFirst() {
    int count = 0;
    for (int i = -31 * 128; i <= 31 * 128; i++) {
      count += FloatImmediate.of(i / 128.0).isEncodable() ? 1 : 0;
    }
    assertThat(count).isEqualTo(256);
    assertThat(FloatImmediate.of(0).isEncodable()).isFalse();
    assertThat(FloatImmediate.of(0.1).isEncodable()).isFalse();
    assertThat(FloatImmediate.of(32).isEncodable()).isFalse();
    assertThat(FloatImmediate.of(Double.NaN).isEncodable()).isFalse();
    assertThat(FloatImmediate.of(Double.POSITIVE_INFINITY).isEncodable()).isFalse();
    assertThat(FloatImmediate.of(1 + Math.ulp(1)).isEncodable()).isFalse();
  }
}
