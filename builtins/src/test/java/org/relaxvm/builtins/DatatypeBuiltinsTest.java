package org.relaxvm.builtins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.builtins.Failures.assertFails;

import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.builtins.fakes.FakeVm;

class DatatypeBuiltinsTest {
  private final FakeVm vm = new FakeVm();

  @Test
  void aDatatypeHasATagAndKeepsItsFieldsAlive() {
    Tensor tensor =
        DeviceTensors.allocate(vm.allocator(-1), DType.INT8, Shape.of(4), vm.stream(-1));
    Tuple cons = vm.call("vm.builtin.make_adt", 1L, tensor, Tuple.of()).asTuple();
    tensor.close();
    assertThat(cons.tag()).isEqualTo(1);
    assertThat(cons.size()).isEqualTo(2);
    Tensor head = vm.call("vm.builtin.get_field", cons, 0).asTensor();
    cons.close();
    assertThat(head.isLive()).isTrue();
    head.close();
    assertThat(vm.allocator(-1).liveBlocks()).isZero();
  }

  @Test
  void theTagIsAnIntegerOrATensor() {
    Tuple cons = Tuple.tagged(7);
    assertThat(vm.call("vm.builtin.get_tag", cons).object()).isEqualTo(7L);
    assertThat(vm.call("vm.builtin.get_tag", Tuple.of(1L)).object()).isEqualTo(0L);
    Tensor tensor = vm.call("vm.builtin.get_tag_tensor", cons).asTensor();
    assertThat(tensor).hasToString("int32[1] on cpu:0");
    assertThat(tensor.toLongArray()).containsExactly(7);
  }

  @Test
  void otherValuesAndFieldsThatDoNotExistAreRefused() {
    assertFails(
        ErrorKind.INDEX,
        "there is no field 1 in a tuple of 1 field",
        () -> vm.call("vm.builtin.get_field", Tuple.tagged(3, 5L), 1));
    assertFails(
        ErrorKind.TYPE,
        "argument #0 must be a tuple, but is a tensor",
        () -> vm.call("vm.builtin.get_field", Tensor.scalar(1L), 0));
    assertFails(
        ErrorKind.TYPE,
        "argument #0 must be a tuple, but is an integer",
        () -> vm.call("vm.builtin.get_tag", 1L));
    assertFails(
        ErrorKind.TYPE,
        "argument #0 must be an integer, but is null",
        () -> vm.call("vm.builtin.make_adt", new Object[] {null}));
  }
}
