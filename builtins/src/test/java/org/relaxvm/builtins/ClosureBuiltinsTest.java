package org.relaxvm.builtins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.builtins.Failures.assertFails;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Closure;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.engine.ClosureInvoker;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.builtins.fakes.FakeVm;

class ClosureBuiltinsTest {
  private final FakeVm vm = new FakeVm();
  private final List<List<@Nullable Object>> calls = new ArrayList<>();
  private final PackedFunc recorder =
      PackedFunc.of(
          values -> {
            calls.add(Arrays.asList(values));
            return (long) values.length;
          });

  @Test
  void aClosureBindsTheLastArguments() {
    Closure closure = Closure.of("f", recorder);
    Closure bound = vm.call("vm.builtin.make_closure", closure, 10L, "x").asClosure();
    Closure twice = vm.call("vm.builtin.make_closure", bound, 20L).asClosure();
    assertThat(twice.functionName()).isEqualTo("f");
    assertThat(vm.call("vm.builtin.invoke_closure", vm, twice, 1L, 2L).asLong()).isEqualTo(5);
    assertThat(calls).containsExactly(List.of(1L, 2L, 20L, 10L, "x"));
  }

  @Test
  void aClosureKeepsWhatItBindsAlive() {
    Tensor tensor =
        DeviceTensors.allocate(vm.allocator(-1), DType.INT8, Shape.of(4), vm.stream(-1));
    Closure plain = Closure.of("f", recorder);
    Closure bound = vm.call("vm.builtin.make_closure", plain, tensor).asClosure();
    tensor.close();
    assertThat(vm.allocator(-1).liveBlocks()).isEqualTo(1);
    bound.close();
    assertThat(vm.allocator(-1).liveBlocks()).isZero();
  }

  @Test
  void onlyAClosureCanBeBound() {
    assertFails(
        ErrorKind.TYPE,
        "argument #0 must be a closure, but is a function",
        () -> vm.call("vm.builtin.make_closure", recorder, 1L));
  }

  @Test
  void aPackedFunctionIsInvokedAsItIs() {
    assertThat(vm.call("vm.builtin.invoke_closure", vm, recorder, 5L, null).asLong()).isEqualTo(2);
    assertThat(calls).containsExactly(Arrays.asList(5L, null));
    assertThat(vm.call("vm.builtin.invoke_closure", vm, recorder).asLong()).isZero();
  }

  @Test
  void nothingElseCanBeInvoked() {
    assertFails(
        ErrorKind.INTERNAL,
        "Function expects a closure or ffi::Function",
        () -> vm.call("vm.builtin.invoke_closure", vm, "f", 1L));
    assertFails(
        ErrorKind.TYPE,
        "argument #1 is missing: the call has 1 argument",
        () -> vm.call("vm.builtin.invoke_closure", vm));
  }

  @Test
  void anEngineCanTellTheFunctionThatInvokesClosures() {
    assertThat(new BuiltinFunctions().find("vm.builtin.invoke_closure"))
        .containsInstanceOf(ClosureInvoker.class);
  }

  @Test
  void aDynamicCallPassesTheExtentsAsIntegers() {
    vm.call("vm.builtin.call_tir_dyn", recorder, "a", 2.5, Shape.of(7, 0, 9));
    vm.call("vm.builtin.call_tir_dyn", recorder, "a", Shape.scalar());
    vm.call("vm.builtin.call_tir_dyn", Closure.of("f", recorder), Shape.of(4));
    assertThat(calls).containsExactly(List.of("a", 2.5, 7L, 0L, 9L), List.of("a"), List.of(4L));
  }

  @Test
  void aDynamicCallNeedsAFunctionAndAShape() {
    assertFails(
        ErrorKind.TYPE,
        "vm.builtin.call_tir_dyn(func, args..., shape) needs a function and a shape, but got 1"
            + " arguments",
        () -> vm.call("vm.builtin.call_tir_dyn", recorder));
    assertFails(
        ErrorKind.TYPE,
        "argument #1 must be a shape, but is an integer",
        () -> vm.call("vm.builtin.call_tir_dyn", recorder, 1L));
    assertFails(
        ErrorKind.INTERNAL,
        "Function expects a closure or ffi::Function",
        () -> vm.call("vm.builtin.call_tir_dyn", "f", Shape.of(1)));
  }
}
