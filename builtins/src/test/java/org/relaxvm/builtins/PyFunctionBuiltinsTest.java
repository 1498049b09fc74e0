package org.relaxvm.builtins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.builtins.Failures.assertFails;

import org.junit.jupiter.api.Test;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.builtins.fakes.FakeVm;

class PyFunctionBuiltinsTest {
  private final FakeVm vm = new FakeVm();
  private final PackedFunc add = PackedFunc.of(v -> (Long) at(v, 0) + (Long) at(v, 1));

  @Test
  void aRegisteredFunctionIsCalledByName() {
    vm.call("vm.builtin.register_py_func", "add", add);
    assertThat(call("add", Tuple.of(2L, 3L))).isEqualTo(5L);
    assertThat(vm.call("vm.builtin.get_py_func", "add").object()).isSameAs(add);
  }

  @Test
  void anotherProviderHasItsOwnFunctions() {
    vm.call("vm.builtin.register_py_func", "add", add);
    FakeVm other = new FakeVm();
    assertFails(
        ErrorKind.INTERNAL,
        "no Python function 'add' is registered\n"
            + "  registered: []\n"
            + "  what to do: register it with vm.builtin.register_py_func",
        () -> other.call("vm.builtin.get_py_func", "add"));
  }

  @Test
  void clearedFunctionsAreGone() {
    vm.call("vm.builtin.register_py_func", "add", add);
    vm.call("vm.builtin.clear_py_func_registry");
    vm.call("vm.builtin.register_py_func", "b", add);
    vm.call("vm.builtin.register_py_func", "a", add);
    assertFails(
        ErrorKind.INTERNAL,
        "no Python function 'add' is registered\n"
            + "  registered: [a, b]\n"
            + "  what to do: register it with vm.builtin.register_py_func",
        () -> call("add", Tuple.of()));
  }

  @Test
  void callsOfAnotherFormAreRefused() {
    assertFails(
        ErrorKind.INTERNAL,
        "vm.builtin.call_py_func((name, args)) takes 1 argument, but got 2",
        () -> vm.call("vm.builtin.call_py_func", "add", Tuple.of()));
    assertFails(
        ErrorKind.INTERNAL,
        "vm.builtin.call_py_func tuple should contain (func_name, args)",
        "the argument of vm.builtin.call_py_func must be a tuple of a name and a tuple of"
            + " arguments, but is [add]",
        () -> vm.call("vm.builtin.call_py_func", Tuple.of("add")));
    assertFails(
        ErrorKind.TYPE,
        "argument #1 must be a function, but is an integer",
        () -> vm.call("vm.builtin.register_py_func", "add", 1L));
  }

  private Object call(String name, Tuple args) {
    return at(new Object[] {vm.call("vm.builtin.call_py_func", Tuple.of(name, args)).object()}, 0);
  }

  private static Object at(Object[] values, int index) {
    return values[index];
  }
}
