package org.relaxvm.vmcore.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.vmcore.vm.TestProgram.r;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.LinkException;
import org.relaxvm.api.spi.Module;

/** Stateful calls and saved functions (docs/spec/vm-semantics.md, section 7). */
class SessionTest {
  private final TestDevices devices = new TestDevices();
  private VirtualMachine vm;

  @BeforeEach
  void build() {
    TestProgram program =
        new TestProgram()
            .function("main", 2, 4, "a", "b")
            .call("tuple", 2, r(0), r(1))
            .call("tuple", 3, r(1), r(2))
            .ret(3)
            .function("plain", 1, 1)
            .ret(0);
    vm = TestFunctions.builder(program, devices).device("opaque").build();
  }

  @AfterEach
  void close() {
    vm.close();
    devices.close();
  }

  @Test
  void outputsAreReadByIndex() {
    try (Session session = vm.session()) {
      session.setInput("main", 1, "two");
      session.invoke("main");
      assertThat(session.outputArity("main")).isEqualTo(2);
      assertThat(session.outputArity("main", 0)).isEqualTo(-1);
      assertThat(session.outputArity("main", 1)).isEqualTo(2);
      assertThat(session.output("main", 0).asString()).isEqualTo("two");
      assertThat(session.output("main", 1, 0).asLong()).isEqualTo(1);
      assertThatThrownBy(() -> session.output("main"))
          .isInstanceOfSatisfying(
              CallException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.VALUE))
          .hasMessage(
              "the output of 'main' is a tuple of 2; name a field: "
                  + "session.output(\"main\", 0)");
      assertThatThrownBy(() -> session.output("main", 0, 0))
          .isInstanceOfSatisfying(
              CallException.class,
              e ->
                  assertThat(e.tvmMessage())
                      .hasValue("Attempted to index into an object that is not an Array."))
          .hasMessage("field 0 of the output of 'main' is not a tuple, so it has no field 0");
      assertThatThrownBy(() -> session.output("main", 2))
          .isInstanceOfSatisfying(
              CallException.class,
              e -> {
                assertThat(e.kind()).isEqualTo(ErrorKind.INDEX);
                assertThat(e.tvmMessage()).hasValue("Invalid index (2 >= 2).");
              })
          .hasMessage("the output of 'main' is a tuple of 2, so it has no field 2");
      assertThatThrownBy(() -> session.output("main", -1))
          .isInstanceOfSatisfying(
              CallException.class,
              e -> assertThat(e.tvmMessage()).hasValue("Invalid index (-1 >= 2)."))
          .hasMessage("the output of 'main' is a tuple of 2, so it has no field -1");
    }
  }

  @Test
  void missingStepsAreNamed() {
    try (Session session = vm.session()) {
      assertThatThrownBy(() -> session.invoke("main"))
          .hasMessage(
              "no inputs are set for 'main'; call session.setInput(\"main\", ...) " + "first");
      assertThatThrownBy(() -> session.output("main"))
          .isInstanceOfSatisfying(
              CallException.class,
              e ->
                  assertThat(e.tvmMessage())
                      .hasValue(
                          "No output saved for call of \"main\"; use `invoke_stateful` to call it"
                              + " first."))
          .hasMessage("there is no output of 'main'; call session.invoke(\"main\") first");
      assertThatThrownBy(() -> session.setInput("mian", 1))
          .hasMessage(
              """
              there is no function 'mian'
                similar: main
                the program has: main, plain\
              """);
      assertThatThrownBy(() -> session.setInput("main", 1))
          .isInstanceOfSatisfying(
              CallException.class,
              e ->
                  assertThat(e.tvmMessage())
                      .hasValue(
                          "The number of provided parameters doesn't match the number of arguments"
                              + " for"))
          .hasMessage("main takes (a, b), got 1 argument");
    }
  }

  @Test
  void inputsAreCopiedToTheMainDeviceInListsToo() {
    try (Session session = vm.session();
        Tensor host = Tensor.of(new float[] {1, 2}, Shape.of(2))) {
      session.setInput("main", host, List.of(host, 3));
      session.invoke("main");
      for (int[] path : new int[][] {{0, 0}, {1, 0}, {1, 1, 0}}) {
        try (Tensor output = session.output("main", path).asTensor()) {
          assertThat(output.device()).isSameAs(devices.opaque());
          assertThat(output.toHost().toFloatArray()).containsExactly(1, 2);
        }
      }
      assertThat(devices.opaque().blocks).hasValue(2);
    }
    assertThat(devices.opaque().blocks).hasValue(0);
  }

  @Test
  void outputOutlivesTheSessionAndTheNextInvocation() {
    Tensor output;
    try (Session session = vm.session();
        Tensor host = Tensor.of(new float[] {4}, Shape.of(1))) {
      session.setInput("plain", host);
      session.invoke("plain");
      output = session.output("plain").asTensor();
      session.setInput("plain", 5);
      session.invoke("plain");
      assertThat(session.output("plain").asLong()).isEqualTo(5);
    }
    assertThat(output.toHost().toFloatArray()).containsExactly(4);
    output.close();
    assertThat(devices.opaque().blocks).hasValue(0);
  }

  @Test
  void parametersComeFromAModule() {
    Module params =
        Module.of("weights.npz", Map.of("get_params", (_, result) -> result.set(Tuple.of(1L, 2L))));
    try (Session session = vm.session()) {
      session.setInputWithParams("main", params, "x");
      session.invoke("main");
      assertThat(session.output("main", 0, 1).asLong()).isEqualTo(2);
      assertThatThrownBy(() -> session.setInputWithParams("main", Module.empty("empty.npz"), "x"))
          .isInstanceOf(LinkException.class)
          .hasMessage(
              "empty.npz has no function get_params(), which supplies the last argument of main");
    }
  }

  @Test
  void savedFunctionBindsItsArguments() {
    vm.saveFunction("main", "bound", true, "late");
    assertThat(vm.function("bound").call("early").asTuple().fields().getFirst()).isEqualTo("late");
    assertThat(vm.function("bound").paramNames()).containsExactly("a");
    vm.saveFunction("bound", "all", true, "first");
    assertThat(vm.function("all").call().asList().get(1).asTuple().fields())
        .containsExactly("first", "late");
  }

  @Test
  void savedFunctionMayDropItsResult() {
    vm.saveFunction("main", "silent", false, 1, 2);
    assertThat(vm.function("silent").call().isNull()).isTrue();
  }

  @Test
  void savingAgainReplacesAndTensorsAreReleased() {
    try (Tensor host = Tensor.of(new float[] {4}, Shape.of(1))) {
      vm.saveFunction("plain", "saved", true, host);
      assertThat(devices.opaque().blocks).hasValue(1);
      VmFunction function = vm.function("saved");
      vm.saveFunction("plain", "saved", true, "text");
      assertThat(devices.opaque().blocks).hasValue(0);
      assertThat(function.call().asString()).isEqualTo("text");
    }
  }

  @Test
  void savedNameShadowsAFunctionOfTheProgram() {
    vm.saveFunction("plain", "main", true, "shadow");
    assertThat(vm.function("main").call().asString()).isEqualTo("shadow");
  }

  @Test
  void savingAnUnknownFunctionIsRefused() {
    assertThatThrownBy(() -> vm.saveFunction("nothing", "saved", true))
        .hasMessage("there is no function 'nothing'\n" + "  the program has: main, plain");
  }
}
