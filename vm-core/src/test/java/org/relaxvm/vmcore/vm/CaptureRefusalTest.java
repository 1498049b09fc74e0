package org.relaxvm.vmcore.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.vmcore.vm.TestProgram.VOID;
import static org.relaxvm.vmcore.vm.TestProgram.imm;
import static org.relaxvm.vmcore.vm.TestProgram.r;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.CaptureException;
import org.relaxvm.vmcore.executable.Arg;

/** What cannot be captured, what is done instead, and what users read. */
class CaptureRefusalTest {
  private static final String ONLY_SUBMITS =
      "\n  what to do: capture a function that only submits work to the device, without branches on"
          + " tensors, copies to or from the host, and kernels of the host; or call it without a"
          + " capture";

  private final CaptureFixture fixture = new CaptureFixture();

  @AfterEach
  void close() {
    assertThat(fixture.graph.blocks).hasValue(0);
    assertThat(fixture.graph.streams).hasValue(0);
    assertThat(fixture.second.blocks).hasValue(0);
    assertThat(fixture.opaque.blocks).hasValue(0);
    fixture.close();
  }

  /** {@code main(x) = x > 0 ? 2x : x}, by a branch on a tensor. */
  private static TestProgram branch() {
    return new TestProgram()
        .function("main", 1, 3, "x")
        .call("alloc", 1, Arg.VM, imm(0), imm(1))
        .call("relaxvm.twice", VOID, r(0), r(1))
        .call("read", 2, r(1))
        .branch(2, 2)
        .ret(1)
        .ret(0);
  }

  private static float replay(CapturedCall call) {
    try (Tensor result = call.replay().asTensor()) {
      return result.toHost().toFloatArray()[0];
    }
  }

  private void refuses(TestProgram program, String message, String... devices) {
    VmBuilder builder =
        fixture.builder(program, devices).function("mine", (_, result) -> result.setNull());
    try (VirtualMachine vm = builder.build();
        Tensor x = CaptureFixture.on(vm, 0, 1)) {
      assertThatThrownBy(() -> vm.capture("main", x))
          .isInstanceOf(CaptureException.class)
          .hasMessage(message);
      vm.function("main").call(x).close();
    }
  }

  @Test
  void aBranchOnATensorIsRefused() {
    refuses(
        branch(),
        "the call of function main cannot be recorded on graph:0: a stream of graph:0 that records"
            + " cannot do a wait for its work"
            + ONLY_SUBMITS
            + "\n  at function main, pc 2: call read in: %1 dst: %2",
        "graph");
  }

  @Test
  void aSecondDeviceIsRefused() {
    TestProgram program =
        new TestProgram()
            .function("main", 1, 2, "x")
            .call("alloc", 1, Arg.VM, imm(1), imm(1))
            .ret(1);
    refuses(
        program,
        """
        the call of function main cannot be recorded on graph:0: it works on graph:1 beside graph:0, \
        and a recording is of one device
          what to do: capture a function for each device, or call it without a capture
          at function main, pc 0: call alloc in: %vm, i1, i1 dst: %1\
        """,
        "graph:0",
        "graph:1");
  }

  @Test
  void argumentsOnAnotherDeviceAreCopied() {
    TestProgram program = new TestProgram().function("main", 1, 1, "x").ret(0);
    try (VirtualMachine vm = fixture.builder(program, "graph:0", "graph:1").build();
        Tensor x = CaptureFixture.on(vm, 0, 1);
        Tensor y = CaptureFixture.on(vm, 1, 1);
        CapturedCall copied = vm.capture("main", List.of(x, y))) {
      assertThat(copied.input(0, 1).device()).isSameAs(fixture.graph);
    }
  }

  @Test
  void aFunctionOfTheUserIsRefusedWhenItGetsMemoryOfTheDevice() {
    TestProgram program =
        new TestProgram()
            .function("main", 1, 2, "x")
            .call("mine", VOID, imm(1))
            .call("tuple", 1, r(0))
            .call("mine", VOID, r(1))
            .ret(0);
    refuses(
        program,
        """
        the call of function main cannot be recorded on graph:0: it calls mine, a function that was \
        registered on the builder, with memory of graph:0: what such a function does on the host \
        would be done once, when the call is recorded, and not at each replay
          what to do: leave the function out of the call, or put it into a module \
        (VmBuilder.module) when all that it does with memory of the device is to submit work to the \
        stream of its context
          at function main, pc 2: call mine in: %1 dst: %void\
        """,
        "graph");
  }

  @Test
  void aDeviceThatRecordsNothingIsRefused() {
    TestProgram program = new TestProgram().function("main", 1, 1, "x").ret(0);
    refuses(
        program,
        "the call of function main cannot be recorded on opaque:0: streams of opaque:0 record no"
            + " work\n  what to do: captureOrCall makes plain calls where nothing can be recorded",
        "opaque");
    refuses(
        program,
        "the call of function main cannot be recorded on cpu:0: streams of cpu:0 record no"
            + " work\n  what to do: captureOrCall makes plain calls where nothing can be recorded");
  }

  @Test
  void captureOrCallMakesPlainCallsWithResultsAtOneAddress() {
    try (VirtualMachine vm = fixture.builder(branch(), "graph").build();
        Tensor x = CaptureFixture.on(vm, 0, 3);
        CapturedCall call = vm.captureOrCall("main", x)) {
      assertThat(call.isRecorded()).isFalse();
      assertThat(call.size()).isZero();
      assertThat(call.fallbackReason())
          .contains("a stream of graph:0 that records cannot do a wait for its work");
      try (Tensor first = call.replay().asTensor()) {
        assertThat(first.toHost().toFloatArray()).containsExactly(6);
        call.setInput(0, Tensor.of(new float[] {5}, Shape.of(1)));
        assertThat(replay(call)).isEqualTo(10);
        assertThat(first.toHost().toFloatArray()).containsExactly(10);
        call.setInput(0, Tensor.of(new float[] {-5}, Shape.of(1)));
        assertThat(replay(call)).isEqualTo(-5);
      }
    }
  }

  @Test
  void captureOrCallRecordsWhereItCan() {
    try (VirtualMachine vm = fixture.builder(CaptureTest.chain(), "graph").build();
        Tensor x = CaptureFixture.on(vm, 0, 1, 1, 1, 1);
        CapturedCall call = vm.captureOrCall("main", x)) {
      assertThat(call.isRecorded()).isTrue();
      assertThat(replay(call)).isEqualTo(12);
    }
  }

  @Test
  void plainCallsChangeTheirArgumentsAsOftenAsRecordedOnes() {
    int[] calls = {0};
    TestProgram program =
        new TestProgram()
            .function("main", 1, 2, "x")
            .call("count", 1, r(0))
            .call("tuple", 1, r(0), imm(3))
            .ret(1);
    try (VirtualMachine vm =
            fixture.builder(program, "cpu").function("count", (_, _) -> calls[0]++).build();
        Tensor x = Tensor.of(new float[] {1, 2}, Shape.of(2));
        CapturedCall call = vm.captureOrCall("main", x)) {
      assertThat(calls[0]).isEqualTo(1);
      try (Tuple result = call.replay().asTuple()) {
        assertThat(calls[0]).isEqualTo(2);
        assertThat(result.at(0).asTensor().storage()).isSameAs(x.storage());
      }
      call.replay().close();
      assertThat(calls[0]).isEqualTo(3);
    }
  }

  @Test
  void aPlainResultThatChangesItsKindIsRefused() {
    long[] next = {1};
    TestProgram program = new TestProgram().function("main", 0, 1).call("count", 0).ret(0);
    try (VirtualMachine vm =
            fixture
                .builder(program, "cpu")
                .function("count", (_, result) -> result.setLong(next[0]++))
                .build();
        CapturedCall call = vm.captureOrCall("main")) {
      try (Value first = call.replay()) {
        assertThat(first.asLong()).isEqualTo(2);
      }
      assertThatThrownBy(call::replay)
          .isInstanceOf(CallException.class)
          .hasMessage(
              """
              a replay of function main gave another kind of result: expected 2 as in the first one, \
              got 3
                only the elements of tensors may change from replay to replay
                what to do: call the function without a capture\
              """);
    }
  }

  @Test
  void inputsAreCheckedBeforeAnythingIsCopied() {
    try (VirtualMachine vm = fixture.builder(CaptureTest.chain(), "graph").build();
        Tensor x = CaptureFixture.on(vm, 0, 1, 1, 1, 1);
        CapturedCall call = vm.capture("main", x)) {
      assertThatThrownBy(() -> call.setInput(0, Tensor.zeros(DType.FLOAT32, Shape.of(2))))
          .isInstanceOf(CallException.class)
          .hasMessage(
              "input 0 of the captured call of function main cannot be set: expected a tensor as it"
                  + " was captured with, float32[4] on graph:0, got float32[2] on cpu:0\n  what to"
                  + " do: capture the call once more for other shapes");
      assertThatThrownBy(() -> call.input(1))
          .hasMessage(
              "there is no input 1 of the captured call of function main: there are 1 here");
      assertThatThrownBy(() -> call.input(0, 0))
          .hasMessage(
              "there is no input 0.0 of the captured call of function main: there are 0 here");
      assertThatThrownBy(call::input).hasMessage("an input has an index, but none is given");
    }
  }

  @Test
  void whatIsClosedSaysSo() {
    VirtualMachine vm = fixture.builder(CaptureTest.chain(), "graph").build();
    Tensor x = CaptureFixture.on(vm, 0, 1, 1, 1, 1);
    CapturedCall call = vm.capture("main", x);
    call.close();
    call.close();
    assertThatThrownBy(call::replay).hasMessage("the captured call of function main is closed");
    assertThatThrownBy(() -> call.setInput(0, x))
        .hasMessage("the captured call of function main is closed");
    assertThatThrownBy(() -> call.input(0))
        .hasMessage("the captured call of function main is closed");
    CapturedCall open = vm.capture("main", x);
    x.close();
    vm.close();
    assertThatThrownBy(open::replay)
        .hasMessage("cannot call function main: the virtual machine is closed");
    assertThatThrownBy(() -> vm.capture("main", 1))
        .hasMessage("cannot call function main: the virtual machine is closed");
  }

  @Test
  void unknownFunctionsAndFailingCallsAreAsEverywhere() {
    TestProgram program =
        new TestProgram().function("main", 1, 2, "x").call("fail", 1, r(0)).ret(1);
    try (VirtualMachine vm =
        fixture
            .builder(program, "graph")
            .function(
                "fail",
                (_, _) -> {
                  throw new IllegalStateException("kernel broke");
                })
            .build()) {
      assertThatThrownBy(() -> vm.capture("other"))
          .hasMessage("there is no function 'other'\n" + "  the program has: main");
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(() -> vm.captureOrCall("main", 1))
            .hasMessage(
                "fail failed: java.lang.IllegalStateException: kernel broke\n"
                    + "  at function main, pc 0: call fail in: %0 dst: %1");
      }
    }
  }

  @Test
  void aLostDeviceIsATypedErrorAndEverythingIsGivenBack() {
    VirtualMachine vm = fixture.builder(CaptureTest.chain(), "graph").build();
    Tensor x = CaptureFixture.on(vm, 0, 1, 1, 1, 1);
    CapturedCall call = vm.capture("main", x);
    fixture.graph.lost = true;
    assertThatThrownBy(call::replay)
        .isInstanceOf(BackendException.class)
        .hasMessage("device graph:0 is lost");
    fixture.graph.lost = false;
    call.close();
    x.close();
    vm.close();
  }
}
