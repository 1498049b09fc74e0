package org.relaxvm.builtins;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.builtins.Failures.assertFails;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.builtins.fakes.FakeGpu;
import org.relaxvm.builtins.fakes.FakeVm;

class RunBuiltinsTest {
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final FakeVm vm =
      new FakeVm(
          new BuiltinFunctions(new PrintStream(printed, true, StandardCharsets.UTF_8)),
          new FakeGpu("cuda", 0));

  @Test
  void printJoinsValuesByBlanksWithoutAFormat() {
    Tensor tensor = Tensor.of(new float[] {1, 2.5f}, Shape.of(2));
    vm.call("relax.run.print", "", 1L, true, null, 2.0, Tuple.of(3L, Tuple.of("a")), tensor);
    assertThat(printed()).isEqualTo("1 True None 2.0 (3, (a)) [1.  2.5]\n");
  }

  @Test
  void printFormatsAsPythonDoes() {
    vm.call("relax.run.print", "{{{}}} {} {0} {1}", 7L, 1e300);
    assertThat(printed()).isEqualTo("{7} 1e+300 7 1e+300\n");
  }

  @Test
  void malformedFormatsAreRefused() {
    formatFails("{", "it has a single '{'; a brace itself is written twice");
    formatFails("a}", "it has a single '}'; a brace itself is written twice");
    formatFails("{:d}", "of '{:d}' only {} and {number} are supported");
    formatFails("{} {}", "it refers to value 1, but there are 1 values");
  }

  private void formatFails(String format, String why) {
    assertFails(
        ErrorKind.VALUE,
        "cannot format with \"" + format + "\": " + why,
        () -> vm.call("relax.run.print", format, 1L));
  }

  @Test
  void anAssertionThatHoldsReturnsNull() {
    assertThat(vm.call("relax.run.assert_op", true, "").isNull()).isTrue();
    assertThat(vm.call("relax.run.assert_op", 2L, "").isNull()).isTrue();
    Tensor condition = Tensor.of(new boolean[] {true}, Shape.scalar());
    assertThat(vm.call("relax.run.assert_op", condition, "").isNull()).isTrue();
    try (Tensor onGpu = DeviceTensors.copyTo(condition, vm.allocator(0), vm.stream(0))) {
      assertThat(vm.call("relax.run.assert_op", onGpu, "").isNull()).isTrue();
    }
  }

  @Test
  void anAssertionThatFailsSaysWhatTheProgramSays() {
    assertFails(
        ErrorKind.ASSERTION, "Assertion Failed", () -> vm.call("relax.run.assert_op", false, ""));
    assertFails(
        ErrorKind.ASSERTION, "1, (2)", () -> vm.call("relax.run.assert_op", 0L, "", 1L, tuple()));
    assertFails(
        ErrorKind.ASSERTION,
        "got 1 of (2)",
        () ->
            vm.call(
                "relax.run.assert_op",
                Tensor.of(new boolean[] {false}, Shape.scalar()),
                "got {} of {}",
                1L,
                tuple()));
  }

  private static Tuple tuple() {
    return Tuple.of(2L);
  }

  @Test
  void conditionsOfOtherKindsAreRefused() {
    assertFails(
        ErrorKind.VALUE,
        "the condition must be a bool tensor, but is of float32",
        () -> vm.call("relax.run.assert_op", Tensor.scalar(1f), ""));
    assertFails(
        ErrorKind.VALUE,
        "Expected a scalar, but given a tensor of shape (1,)",
        "the condition must be a scalar, but has the shape [1]",
        () -> vm.call("relax.run.assert_op", Tensor.zeros(DType.BOOL, Shape.of(1)), ""));
  }

  @Test
  void debugPrintShowsShapeDtypeAndElements() {
    Tensor tensor = Tensor.of(new int[] {1, -20, 3, 4}, Shape.of(2, 2));
    vm.call("vm.builtin.debug_print", "model.py:7", tensor);
    assertThat(printed())
        .isEqualTo("model.py:7: shape = (2, 2), dtype = int32, data =\n[[  1 -20]\n [  3   4]]\n");
  }

  @Test
  void aDebugFunctionIsCalledWithTheLineAndItsResultDropped() {
    StringBuilder seen = new StringBuilder();
    vm.define("look", PackedFunc.of(values -> seen.append(values[0]).append(values[1]).length()));
    assertThat(vm.call("vm.builtin.invoke_debug_func", null, "look", "line 3 ", 5L).isNull())
        .isTrue();
    assertThat(seen).hasToString("line 3 5");
  }

  @Test
  void aDebugFunctionThatIsMissingIsNamed() {
    assertFails(
        ErrorKind.VALUE,
        "there is no debug function 'look'\n"
            + "  what to do: register it on the VM's builder or offer it through a "
            + "FunctionProvider",
        () -> vm.call("vm.builtin.invoke_debug_func", null, "look", "line 3"));
    assertFails(
        ErrorKind.VALUE,
        "IOEffect is expected to be lowered to None.",
        "argument #0 of vm.builtin.invoke_debug_func, the effect, must be null, but is an integer",
        () -> vm.call("vm.builtin.invoke_debug_func", 1L, "look", "line 3"));
  }

  private String printed() {
    return printed.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
  }
}
