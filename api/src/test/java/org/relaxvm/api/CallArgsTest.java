package org.relaxvm.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.engine.RegisterArgs;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;

class CallArgsTest {
  @Test
  void scalarsConvert() {
    CallArgs args = CallArgs.of(3L, true, 2.5, 7, 1.5f, (short) 4);
    assertThat(args.count()).isEqualTo(6);
    assertThat(args.longAt(0)).isEqualTo(3);
    assertThat(args.longAt(1)).isOne();
    assertThat(args.booleanAt(0)).isTrue();
    assertThat(args.doubleAt(0)).isEqualTo(3.0);
    assertThat(args.doubleAt(1)).isEqualTo(1.0);
    assertThat(args.doubleAt(2)).isEqualTo(2.5);
    assertThat(args.intAt(3)).isEqualTo(7);
    assertThat(args.doubleAt(4)).isEqualTo(1.5);
    assertThat(args.toArray()).containsExactly(3L, true, 2.5, 7L, 1.5, 4L);
    assertThat(args.toArray(4)).containsExactly(1.5, 4L);
  }

  @Test
  void objectsAreGivenAsTheyAre() {
    Tensor tensor = Tensor.scalar(1L);
    Tuple tuple = Tuple.of();
    CallArgs args =
        CallArgs.of(tensor, Shape.of(2), "s", DType.BOOL, tuple, tensor.storage(), null);
    assertThat(args.tensorAt(0)).isSameAs(tensor);
    assertThat(args.shapeAt(1)).isEqualTo(Shape.of(2));
    assertThat(args.stringAt(2)).isEqualTo("s");
    assertThat(args.dtypeAt(3)).isEqualTo(DType.BOOL);
    assertThat(args.tupleAt(4)).isSameAs(tuple);
    assertThat(args.storageAt(5)).isSameAs(tensor.storage());
    assertThat(args.isNull(6)).isTrue();
    assertThat(args.at(6)).isNull();
    assertThat(args.typeKeyAt(0)).isEqualTo("ffi.Tensor");
  }

  @Test
  void wrongKindsAreTypeErrorsThatNameTheArgument() {
    CallArgs args = CallArgs.of("s", 2.5, null, 1L);
    assertThatThrownBy(() -> args.tensorAt(0))
        .isInstanceOfSatisfying(
            CallException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.TYPE))
        .hasMessage("argument #0 must be a tensor, but is a string");
    assertThatThrownBy(() -> args.longAt(1))
        .hasMessage("argument #1 must be an integer, but is a floating-point number");
    assertThatThrownBy(() -> args.shapeAt(2))
        .hasMessage("argument #2 must be a shape, but is null");
    assertThatThrownBy(() -> args.stringAt(3))
        .hasMessage("argument #3 must be a string, but is an integer");
    assertThatThrownBy(() -> args.booleanAt(1))
        .hasMessage("argument #1 must be a boolean, but is a floating-point number");
    assertThatThrownBy(() -> args.doubleAt(0))
        .hasMessage("argument #0 must be a floating-point number, but is a string");
    assertThatThrownBy(() -> args.dtypeAt(0))
        .hasMessage("argument #0 must be a data type, but is a string");
    assertThatThrownBy(() -> args.tupleAt(0))
        .hasMessage("argument #0 must be a tuple, but is a string");
    assertThatThrownBy(() -> args.storageAt(0))
        .hasMessage("argument #0 must be a storage, but is a string");
    assertThatThrownBy(() -> args.contextAt(0))
        .isInstanceOfSatisfying(
            CallException.class,
            e ->
                assertThat(e.tvmMessage())
                    .hasValue(
                        "Mismatched type on argument #0. Expected `void*` but got `ffi.String`"))
        .hasMessage("argument #0 must be a pointer, but is a string");
  }

  @Test
  void missingArgumentsAreNamed() {
    CallArgs args = CallArgs.of(1L);
    assertThatThrownBy(() -> args.at(1))
        .hasMessage("argument #1 is missing: the call has 1 argument");
    assertThatThrownBy(() -> args.at(-1)).isInstanceOf(CallException.class);
    assertThatThrownBy(() -> args.toArray(3))
        .hasMessage("argument #2 is missing: the call has 1 argument");
    assertThatThrownBy(() -> args.requireCount("copy(x, y)", 2))
        .hasMessage("copy(x, y) takes 2 arguments, but got 1");
    args.requireCount("copy(x)", 1);
  }

  @Test
  void intsAreChecked() {
    assertThatThrownBy(() -> CallArgs.of(1L << 31).intAt(0))
        .hasMessage("argument #0 must fit 32 bits, but is 2147483648");
    assertThat(CallArgs.of(-(1L << 31)).intAt(0)).isEqualTo(Integer.MIN_VALUE);
  }

  @Test
  void aBoundViewReadsRegistersAndConstants() {
    @Nullable Object[] refs = {null, null, ScalarTag.INT, "register"};
    long[] bits = {0, 0, 42, 0};
    @Nullable Object[] constants = {"constant", ScalarTag.FLOAT};
    long[] constantBits = {0, Double.doubleToRawLongBits(0.5)};
    RegisterArgs args = new RegisterArgs(null, new Object[0], new long[0], new int[0]);
    args.bind(refs, bits, 2, constants, constantBits, new int[] {9, 0, 1, ~0, ~1}, 1, 4);
    assertThat(args.toArray()).containsExactly(42L, "register", "constant", 0.5);
    args.moveTo(0, 1, 1);
    assertThat(args.isNull(0)).isTrue();
  }

  @Test
  void theContextIsThereOnlyWithinAVm() {
    assertThat(CallArgs.of(1L).contextOrNull()).isNull();
    assertThatThrownBy(() -> CallArgs.of(1L).context())
        .hasMessage("this function works only when a VM calls it: it needs the VM's context");
  }
}
