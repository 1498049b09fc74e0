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
import org.relaxvm.api.Tuple;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.builtins.fakes.FakeVm;

class RelayCallBuiltinsTest {
  private final FakeVm vm = new FakeVm();
  private final List<List<@Nullable Object>> calls = new ArrayList<>();
  private final PackedFunc recorder =
      PackedFunc.of(
          values -> {
            calls.add(Arrays.asList(values));
            return (long) values.length;
          });

  @Test
  void aPhiIsTheOperandThatIsDefined() {
    assertThat(phi(null, 5L)).isEqualTo(5L);
    assertThat(phi("a", null)).isEqualTo("a");
    assertThat(phi(3L, 3L)).isEqualTo(3L);
    Tuple tuple = Tuple.of();
    assertThat(phi(tuple, tuple)).isInstanceOf(Tuple.class);
  }

  @Test
  void aPhiWithoutOneDefinedOperandIsRefused() {
    assertFails(
        ErrorKind.RUNTIME,
        "no operand of a phi is defined\n"
            + "  expected: exactly one, the one that the executed path assigned",
        () -> phi(null, null));
    String both =
        "both operands of a phi are defined\n"
            + "  expected: exactly one, the one that the executed path assigned";
    assertFails(ErrorKind.RUNTIME, both, () -> phi(1L, 2L));
    assertFails(ErrorKind.RUNTIME, both, () -> phi(Tuple.of(), Tuple.of()));
  }

  @Test
  void aFatalErrorHasTheProgramsMessage() {
    assertFails(
        ErrorKind.RUNTIME,
        "no arm of the match fits",
        () -> vm.call("vm.builtin.fatal", "no arm of the match fits"));
  }

  @Test
  void tuplesAmongTheArgumentsOfAKernelAreFlattened() {
    Tensor output = Tensor.scalar(1L);
    assertThat(
            vm.call("vm.builtin.call_flat", recorder, 1, Tuple.of(1L, 2L), 3L, Tuple.of(), output)
                .asLong())
        .isEqualTo(4);
    assertThat(calls).containsExactly(List.of(1L, 2L, 3L, output));
    assertFails(
        ErrorKind.TYPE,
        "argument #1 of a kernel is a tuple with a tuple in it: [[]]\n"
            + "  expected: a tensor, or a tuple of tensors",
        () -> vm.call("vm.builtin.call_flat", recorder, 1, 1L, Tuple.of(Tuple.of())));
    assertFails(
        ErrorKind.TYPE,
        "vm.builtin.call_flat(func, outputs, args...) needs a function and the number of its"
            + " outputs, but got 1 argument",
        () -> vm.call("vm.builtin.call_flat", recorder));
  }

  @Test
  void aKernelWhoseOneOutputIsEmptyIsNotCalled() {
    Tensor empty = Tensor.zeros(DType.INT8, Shape.of(2, 0));
    assertThat(vm.call("vm.builtin.call_flat", recorder, 1, 5L, empty).isNull()).isTrue();
    assertThat(calls).isEmpty();
    vm.call("vm.builtin.call_flat", recorder, 2, empty, empty);
    vm.call("vm.builtin.call_flat", recorder, 0, empty);
    vm.call("vm.builtin.call_flat", recorder, 1);
    assertThat(calls).containsExactly(List.of(empty, empty), List.of(empty), List.of());
  }

  @Test
  void aTailRequestIsACallToBeMade() {
    Closure function = Closure.of("f", recorder);
    Closure partial = function.bind(9L);
    Tensor argument = Tensor.scalar(1L);
    try (Value request = vm.call("vm.builtin.tail_request", partial, argument, 2L)) {
      assertThat(request.toString()).isEqualTo("request for a call of f");
      assertThat(vm.call("vm.builtin.is_tail_request", request.object()).object()).isEqualTo(true);
      try (Value call = vm.call("vm.builtin.tail_closure", request.object())) {
        assertThat(vm.call("vm.builtin.invoke_closure", vm, call.object()).asLong()).isEqualTo(3);
      }
    }
    assertThat(calls).containsExactly(List.of(argument, 2L, 9L));
    partial.release();
    argument.release();
    assertThat(argument.isLive()).isFalse();
  }

  @Test
  void otherValuesAreNoTailRequests() {
    assertThat(vm.call("vm.builtin.is_tail_request", 1L).object()).isEqualTo(false);
    assertThat(vm.call("vm.builtin.is_tail_request", Tuple.of()).object()).isEqualTo(false);
    assertFails(
        ErrorKind.TYPE,
        "argument #0 must be a tail request, but is a tuple",
        () -> vm.call("vm.builtin.tail_closure", Tuple.of()));
    assertFails(
        ErrorKind.TYPE,
        "argument #0 must be a closure, but is a function",
        () -> vm.call("vm.builtin.tail_request", recorder));
  }

  private @Nullable Object phi(@Nullable Object a, @Nullable Object b) {
    return vm.call("vm.builtin.phi", a, b).object();
  }
}
