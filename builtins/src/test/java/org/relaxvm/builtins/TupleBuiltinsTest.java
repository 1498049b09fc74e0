package org.relaxvm.builtins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.builtins.Failures.assertFails;

import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.builtins.fakes.FakeVm;

class TupleBuiltinsTest {
  private final FakeVm vm = new FakeVm();

  @Test
  void aTupleHoldsItsArgumentsAndKeepsThemAlive() {
    Tensor tensor =
        DeviceTensors.allocate(vm.allocator(-1), DType.INT8, Shape.of(4), vm.stream(-1));
    Tuple tuple = vm.call("vm.builtin.make_tuple", tensor, 7L, null, true, 1.5, "s").asTuple();
    tensor.close();
    assertThat(vm.allocator(-1).liveBlocks()).isEqualTo(1);
    assertThat(tuple.size()).isEqualTo(6);
    assertThat(vm.call("vm.builtin.tuple_getitem", tuple, 1).object()).isEqualTo(7L);
    assertThat(vm.call("vm.builtin.tuple_getitem", tuple, 2).isNull()).isTrue();
    assertThat(vm.call("vm.builtin.tuple_getitem", tuple, 3).object()).isEqualTo(true);
    assertThat(vm.call("vm.builtin.tuple_getitem", tuple, 4).object()).isEqualTo(1.5);
    assertThat(vm.call("vm.builtin.tuple_getitem", tuple, 5).object()).isEqualTo("s");
    tuple.close();
    assertThat(vm.allocator(-1).liveBlocks()).isZero();
  }

  @Test
  void aFieldOutlivesItsTuple() {
    Tensor tensor =
        DeviceTensors.allocate(vm.allocator(-1), DType.INT8, Shape.of(4), vm.stream(-1));
    Tuple tuple = Tuple.of(tensor);
    tensor.release();
    Tensor field = vm.call("vm.builtin.tuple_getitem", tuple, 0).asTensor();
    tuple.release();
    assertThat(field.isLive()).isTrue();
    field.close();
    assertThat(vm.allocator(-1).liveBlocks()).isZero();
  }

  @Test
  void anIndexOutsideOfTheTupleIsRefused() {
    Tuple tuple = Tuple.of(1L, 2L);
    assertFails(
        ErrorKind.INDEX,
        "there is no field 2 in a tuple of 2 fields",
        () -> vm.call("vm.builtin.tuple_getitem", tuple, 2));
    assertFails(
        ErrorKind.INDEX,
        "Index -1 out of bounds 2",
        "there is no field -1 in a tuple of 2 fields",
        () -> vm.call("vm.builtin.tuple_getitem", tuple, -1));
    assertFails(
        ErrorKind.INDEX,
        "there is no field 2 in a tuple of 2 fields",
        () -> vm.call("vm.builtin.tuple_reset_item", tuple, 2));
    assertFails(
        ErrorKind.TYPE,
        "argument #0 must be a tuple, but is a shape",
        () -> vm.call("vm.builtin.tuple_getitem", Shape.of(1), 0));
  }

  @Test
  void aResetFieldIsNullForAllWhoReferToTheTuple() {
    Tensor tensor =
        DeviceTensors.allocate(vm.allocator(-1), DType.INT8, Shape.of(4), vm.stream(-1));
    Tuple tuple = Tuple.of(tensor, 2L);
    tensor.release();
    Tuple outer = Tuple.of(tuple);
    assertThat(vm.call("vm.builtin.tuple_reset_item", tuple, 0).isNull()).isTrue();
    assertThat(vm.allocator(-1).liveBlocks()).isZero();

    CallResult result = new CallResult();
    new BuiltinFunctions()
        .find("vm.builtin.tuple_getitem")
        .orElseThrow()
        .call(CallArgs.of(outer, 0), result);
    assertThat(result.ref()).isSameAs(tuple);
    assertThat(((Tuple) outer.fields().getFirst()).get(0)).isNull();
  }
}
