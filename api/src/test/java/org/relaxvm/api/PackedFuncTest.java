package org.relaxvm.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PackedFuncTest {
  @Test
  void ordinaryFunctionsBecomePackedOnes() {
    PackedFunc sum = PackedFunc.of(args -> (Long) args[0] + (Long) args[1]);
    assertThat(sum.invoke(2L, 3).asLong()).isEqualTo(5);
    assertThat(PackedFunc.of(_ -> null).invoke().isNull()).isTrue();
    assertThat(PackedFunc.of(_ -> 1.5f).invoke().object()).isEqualTo(1.5);
  }

  @Test
  void aReturnedArgumentIsAnAliasOfItsOwn() {
    PackedFunc identity = PackedFunc.of(args -> args[0]);
    Tensor tensor = Tensor.scalar(4L);
    Tensor alias = identity.invoke(tensor).asTensor();
    assertThat(alias).isNotSameAs(tensor);
    tensor.close();
    assertThat(alias.longAt()).isEqualTo(4);
    alias.close();
    assertThat(alias.isLive()).isFalse();
    assertThat(tensor.isLive()).isFalse();
  }

  @Test
  void aNewResultBelongsToTheCaller() {
    Tensor[] made = new Tensor[1];
    PackedFunc make = PackedFunc.of(_ -> made[0] = Tensor.scalar(1L));
    make.invoke().close();
    assertThat(made[0].isLive()).isFalse();
  }

  @Test
  void failuresReachTheCallerAsTheyAre() {
    IllegalStateException failure = new IllegalStateException("kernel");
    PackedFunc failing =
        (args, result) -> {
          throw failure;
        };
    assertThatThrownBy(failing::invoke).isSameAs(failure);
  }

  @Test
  void aResultSetBeforeAFailureIsReleased() {
    Tensor tensor = Tensor.scalar(1L);
    PackedFunc failing =
        (args, result) -> {
          result.set(tensor);
          throw new IllegalStateException("kernel");
        };
    assertThatThrownBy(failing::invoke).hasMessage("kernel");
    assertThat(tensor.isLive()).isFalse();
  }

  @Test
  void settingAResultAgainReleasesTheFirst() {
    CallResult result = new CallResult();
    Tensor tensor = Tensor.scalar(1L);
    result.set(tensor);
    result.setLong(3);
    assertThat(tensor.isLive()).isFalse();
    assertThat(result.ref()).isSameAs(ScalarTag.INT);
    assertThat(result.bits()).isEqualTo(3);
    result.setBoolean(true);
    assertThat(result.takeValue().object()).isEqualTo(true);
    assertThat(result.takeValue().isNull()).isTrue();
    result.setDouble(-0.0);
    assertThat(result.takeValue().asDouble()).isEqualTo(-0.0);
    result.setNull();
    assertThat(result.takeRef()).isNull();
  }

  @Test
  void anArgumentAsResultIsRetained() {
    Tensor tensor = Tensor.scalar(1L);
    CallResult result = new CallResult();
    result.setArgument(CallArgs.of(tensor, 7L), 0);
    tensor.close();
    assertThat(tensor.isLive()).isTrue();
    result.setArgument(CallArgs.of(tensor, 7L), 1);
    assertThat(tensor.isLive()).isFalse();
    assertThat(result.takeValue().asLong()).isEqualTo(7);
  }
}
