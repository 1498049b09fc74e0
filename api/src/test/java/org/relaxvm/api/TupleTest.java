package org.relaxvm.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.CallException;

class TupleTest {
  @Test
  void fieldsLiveAsLongAsTheTuple() {
    Tensor tensor = Tensor.scalar(1L);
    Tuple tuple = Tuple.of(tensor, 5L, null);
    tensor.close();
    assertThat(tensor.isLive()).isTrue();
    assertThat(tuple.size()).isEqualTo(3);
    assertThat(tuple.get(0)).isSameAs(tensor);
    assertThat(tuple.at(1).asLong()).isEqualTo(5);
    assertThat(tuple.at(2).isNull()).isTrue();
    tuple.close();
    assertThat(tensor.isLive()).isFalse();
  }

  @Test
  void indicesAreChecked() {
    Tuple tuple = Tuple.of(1L);
    assertThatThrownBy(() -> tuple.get(1))
        .isInstanceOf(CallException.class)
        .hasMessage("there is no field 1 in a tuple of 1 field");
    assertThatThrownBy(() -> tuple.get(-1))
        .hasMessage("there is no field -1 in a tuple of 1 field");
    assertThatThrownBy(() -> tuple.get(1L << 32))
        .isInstanceOfSatisfying(
            CallException.class,
            e -> assertThat(e.tvmMessage()).hasValue("Index 4294967296 out of bounds 1"))
        .hasMessage("there is no field 4294967296 in a tuple of 1 field");
  }

  @Test
  void resetReleasesTheFieldForAllWhoReferToTheTuple() {
    Tensor tensor = Tensor.scalar(1L);
    Tuple tuple = Tuple.ofOwned(new Object[] {tensor});
    tuple.reset(0);
    assertThat(tensor.isLive()).isFalse();
    assertThat(tuple.get(0)).isNull();
    tuple.reset(0);
    tuple.close();
  }

  @Test
  void aUsersTupleHasHandlesOfItsOwn() {
    Tensor tensor = Tensor.scalar(1L);
    Tuple inner = Tuple.ofOwned(new Object[] {tensor});
    Tuple handle = inner.newHandle();
    Tensor field = handle.at(0).asTensor();
    assertThat(field).isNotSameAs(tensor);
    field.close();
    handle.close();
    assertThat(tensor.isLive()).isTrue();
    inner.release();
    assertThat(tensor.isLive()).isFalse();
  }

  @Test
  void aHandleOnATupleWithAClosedFieldIsRefusedAndHoldsNothing() {
    Tensor first = Tensor.scalar(1L);
    Tensor second = Tensor.scalar(2L);
    Tuple tuple = Tuple.ofOwned(new Object[] {first, second}).newHandle();
    tuple.at(1).asTensor().close();
    second.release();
    CallResult result = new CallResult();
    tuple.retain();
    result.set(tuple);
    assertThatThrownBy(result::takeValue)
        .isInstanceOf(CallException.class)
        .hasMessage("this tensor is closed: it cannot be used any more");
    tuple.close();
    assertThat(tuple.isLive()).isFalse();
    first.release();
    assertThat(first.isLive()).isFalse();
    assertThat(first.storage().isLive()).isFalse();
  }

  @Test
  void nestingDeeperThanTheStackIsDisposedOf() {
    Tensor tensor = Tensor.scalar(1L);
    Managed outer = tensor;
    for (int i = 0; i < 500_000; i++) {
      outer =
          i % 2 == 0
              ? Tuple.ofOwned(new Object[] {i, outer})
              : closureThatOwns(Closure.of("f", (_, _) -> {}), outer);
    }
    outer.release();
    assertThat(tensor.isLive()).isFalse();
  }

  private static Closure closureThatOwns(Closure function, Managed value) {
    Closure bound = function.bind(value);
    value.release();
    return bound;
  }

  @Test
  void aFieldThatFailsToBeGivenBackKeepsNoOther() {
    Tensor first = Tensor.scalar(1L);
    Tensor second = Tensor.scalar(2L);
    Tuple tuple = Tuple.ofOwned(new Object[] {first, second});
    first.release();
    assertThatThrownBy(tuple::release)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a tensor was released more than retained");
    assertThat(second.isLive()).isFalse();
  }

  @Test
  void aUsersHandleOutlivesTheOriginal() {
    Tuple inner = Tuple.ofOwned(new Object[] {Tensor.scalar(4L), 2L});
    Tuple handle = inner.newHandle();
    inner.release();
    assertThat(handle.at(0).asTensor().longAt()).isEqualTo(4);
    assertThat(handle).hasToString("[int64[] on cpu:0, 2]");
    handle.close();
  }

  @Test
  void aDatatypeHasATagWhichItsHandlesKeep() {
    Tuple nil = Tuple.of();
    Tuple list = Tuple.tagged(1, 5L, Tuple.tagged(-3, nil));
    nil.release();
    assertThat(list.tag()).isEqualTo(1);
    assertThat(nil.tag()).isZero();
    assertThat(list).hasToString("#1[5, #-3[[]]]");
    Tuple handle = list.newHandle();
    list.at(1).asTuple().release();
    list.release();
    assertThat(nil.isLive()).isFalse();
    assertThat(handle.tag()).isEqualTo(1);
    assertThat(handle.at(1).asTuple().tag()).isEqualTo(-3);
    assertThat(handle).hasToString("#1[5, #-3[[]]]");
    handle.close();
    assertThat(handle.isLive()).isFalse();
  }

  @Test
  void aTaggedTupleRetainsItsFieldsAndOneOfOwnedValuesTakesThem() {
    Tensor tensor = Tensor.scalar(1L);
    Tuple retaining = Tuple.tagged(2, tensor);
    Tuple owning = Tuple.ofOwned(3, new Object[] {tensor});
    owning.release();
    assertThat(tensor.isLive()).isTrue();
    retaining.release();
    assertThat(tensor.isLive()).isFalse();
    assertThat(owning.tag()).isEqualTo(3);
  }

  @Test
  void aHandleOnAListOfManyElementsIsMadeAndClosed() {
    Tensor element = Tensor.scalar(1L);
    Tuple list = Tuple.of();
    for (int i = 0; i < 100_000; i++) {
      element.retain();
      list = Tuple.ofOwned(1, new Object[] {element, list});
    }
    Tuple handle = list.newHandle();
    list.release();
    new LeakNet(false).watch(handle, "test");
    assertThat(handle.at(1).asTuple().tag()).isEqualTo(1);
    assertThat(handle.toString())
        .startsWith("#1[int64[] on cpu:0, #1[")
        .endsWith("..." + "]".repeat(16));
    handle.close();
    element.release();
    assertThat(element.storage().isLive()).isFalse();
  }

  @Test
  void aHandleOnMoreThanAMillionValuesIsRefusedAndHoldsNothing() {
    Tensor tensor = Tensor.scalar(1L);
    Tuple tuple = Tuple.ofOwned(new Object[] {tensor});
    for (int i = 0; i < 20; i++) {
      Tuple doubled = Tuple.of(tuple, tuple);
      tuple.release();
      tuple = doubled;
    }
    assertThatThrownBy(tuple::newHandle)
        .isInstanceOf(CallException.class)
        .hasMessage(
            """
            a tuple is too large to be given out
              expected: at most 1048576 values in it and in the tuples that it holds, each counted\
             as often as it is reached\
            """);
    tuple.release();
    assertThat(tensor.isLive()).isFalse();
    assertThat(tensor.storage().isLive()).isFalse();
  }
}
