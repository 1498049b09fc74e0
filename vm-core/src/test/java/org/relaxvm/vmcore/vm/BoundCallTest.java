package org.relaxvm.vmcore.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.vmcore.vm.TestProgram.r;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.vmcore.program.Dim;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.ProgramMetadata;
import org.relaxvm.vmcore.program.TensorSpec;

/** Calls with arguments by name, with several outputs, with bound outputs and in other threads. */
class BoundCallTest {
  private final TestDevices devices = new TestDevices();

  @AfterEach
  void close() {
    devices.close();
  }

  /** {@code main(a, b)} returns {@code (b, a)}; described, unlike {@code plain(x)}. */
  private VmBuilder swap() {
    Program program =
        new TestProgram()
            .function("main", 2, 3, "a", "b")
            .call("tuple", 2, r(1), r(0))
            .ret(2)
            .function("plain", 1, 1)
            .ret(0)
            .build();
    ProgramMetadata metadata =
        ProgramMetadata.builder()
            .input(TensorSpec.of("a", DType.FLOAT32, Dim.symbol("n")))
            .input(TensorSpec.of("b", DType.FLOAT32, Dim.of(2)))
            .output(TensorSpec.of("second", DType.FLOAT32, Dim.of(2)))
            .output(TensorSpec.of("first", DType.FLOAT32, Dim.symbol("n")))
            .build();
    return VirtualMachine.builder(Program.of(program.executable(), metadata, List.of()))
        .registry(devices.registry())
        .allocator(AllocatorKind.NAIVE)
        .function("tuple", (args, result) -> result.set(Tuple.of(args.toArray())));
  }

  private static Tensor tensor(float... values) {
    return Tensor.of(values, Shape.of(values.length));
  }

  @ParameterizedTest
  @ValueSource(strings = {"cpu", "opaque"})
  void outputsAreFoundByNameAndIndexAndClosedAtOnce(String device) {
    try (VirtualMachine vm = swap().device(device).build();
        Tensor a = tensor(1);
        Tensor b = tensor(2, 3)) {
      Results results = vm.function("main").call(Map.of("b", b, "a", a));
      assertThat(results.size()).isEqualTo(2);
      assertThat(results.names()).containsExactly("second", "first");
      assertThat(results.tensor("first").toFloatArray()).containsExactly(1);
      assertThat(results.tensor(0).toFloatArray()).containsExactly(2, 3);
      Tensor first = results.tensor(1);
      results.close();
      results.close();
      assertThat(first.isLive()).isFalse();
      assertThat(vm.memoryStats().getFirst().liveBlocks()).isZero();
    }
  }

  @Test
  void wrongNamesAreAnsweredWithTheRightOnes() {
    try (VirtualMachine vm = swap().device("cpu").build();
        Tensor a = tensor(1)) {
      VmFunction main = vm.function("main");
      assertThatThrownBy(() -> main.call(Map.of("c", a)))
          .isInstanceOfSatisfying(
              CallException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.VALUE))
          .hasMessage("function main has no parameter 'c'\n  it has: a, b");
      assertThatThrownBy(() -> main.call(Map.of("a", a)))
          .hasMessage(
              """
              function main needs a value for parameter 1 ('b'), and none is set
                what to do: set it with input("b", value), or add it to the map of inputs\
              """);
      assertThatThrownBy(() -> vm.function("plain").call(Map.of("x", a)))
          .hasMessage(
              """
              function plain has no parameter 'x': the program does not name its parameters
                what to do: use the index, from 0\
              """);
      assertThatThrownBy(() -> vm.function("plain").bind().run())
          .hasMessage(
              """
              function plain needs a value for parameter 0, and none is set
                what to do: set it with input(0, value), or add it to the map of inputs\
              """);
      assertThatThrownBy(() -> main.bind().input(2, a))
          .isInstanceOfSatisfying(
              CallException.class,
              e -> assertThat(e.tvmMessage()).hasValue("Invalid index for main (2 out of 2)"))
          .hasMessage("function main has no parameter 2: it has 2 parameters");
      assertThatThrownBy(() -> main.bind().output("third", a))
          .hasMessage("function main has no output 'third'\n  it has: second, first");
      try (Results results = main.bind().input(0, a).input(1, null).run()) {
        assertThatThrownBy(() -> results.tensor("third"))
            .hasMessage("function main has no output 'third'\n  it has: second, first");
        assertThatThrownBy(() -> results.tensor(2))
            .isInstanceOfSatisfying(
                CallException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INDEX))
            .hasMessage("function main has no output 2: it returned 2 outputs");
        assertThatThrownBy(() -> results.tensor("second"))
            .isInstanceOfSatisfying(
                CallException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.TYPE))
            .hasMessage("output 0 of function main is null, not a tensor");
      }
      try (Results results = vm.function("plain").bind().input(0, a).run()) {
        assertThatThrownBy(() -> results.tensor("output"))
            .hasMessage(
                """
                function plain has no output 'output': the program does not name its outputs
                  what to do: use the index, from 0\
                """);
        assertThat(results.tensor(0).toFloatArray()).containsExactly(1);
      }
    }
  }

  @Test
  void signaturesSayWhatTheProgramSays() {
    try (VirtualMachine vm = swap().device("cpu").build()) {
      assertThat(vm.function("main").inputs().orElseThrow())
          .extracting(Object::toString)
          .containsExactly("a: float32[n] on cpu:0", "b: float32[2] on cpu:0");
      assertThat(vm.function("main").outputs().orElseThrow())
          .extracting(Object::toString)
          .containsExactly("second: float32[2]", "first: float32[n]");
      assertThat(vm.function("plain").inputs()).isEmpty();
      assertThat(vm.function("plain").outputs()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cpu", "opaque"})
  void boundOutputsAreFilledByEachRunAndStayOpen(String device) {
    try (VirtualMachine vm = swap().device(device).build();
        Tensor zeros = Tensor.zeros(DType.FLOAT32, Shape.of(2));
        Tensor onDevice = vm.upload(zeros, vm.devices().getFirst());
        Tensor onHost = Tensor.zeros(DType.FLOAT32, Shape.of(1));
        Tensor a = tensor(1);
        Tensor b = tensor(2, 3);
        Tensor other = tensor(4, 5)) {
      BoundCall call =
          vm.function("main").bind().input("a", a).output(0, onDevice).output("first", onHost);
      long before = vm.memoryStats().getFirst().liveBlocks();
      for (Tensor each : List.of(b, other)) {
        try (Results results = call.input("b", each).run()) {
          assertThat(results.tensor("second")).isSameAs(onDevice);
          assertThat(results.tensor("first")).isSameAs(onHost);
          assertThat(vm.memoryStats().getFirst().liveBlocks()).isEqualTo(before);
        }
        assertThat(onDevice.toFloatArray()).containsExactly(each.toFloatArray());
        assertThat(onHost.toFloatArray()).containsExactly(1);
      }
    }
  }

  @Test
  void anInputMayBeBoundAsItsOwnOutput() {
    try (VirtualMachine vm = swap().device("opaque").build();
        Tensor a = vm.upload(tensor(7));
        Tensor b = tensor(2, 3)) {
      vm.function("main").bind().input("a", a).input("b", b).output(1, a).run().close();
      assertThat(a.toFloatArray()).containsExactly(7);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"cpu", "opaque"})
  void inputsMayBeBoundAsEachOthersOutputs(String device) {
    try (VirtualMachine vm = swap().device(device).build();
        Tensor a = vm.upload(tensor(1, 4));
        Tensor b = vm.upload(tensor(2, 3))) {
      vm.function("main").bind().input(0, a).input(1, b).output(0, a).output(1, b).run().close();
      assertThat(a.toFloatArray()).containsExactly(2, 3);
      assertThat(b.toFloatArray()).containsExactly(1, 4);
    }
  }

  @Test
  void anOutputThatAnotherOneWouldOverwriteIsRefused() {
    try (VirtualMachine vm = swap().device("cpu").build();
        Tensor a = tensor(1, 4);
        Tensor b = tensor(2, 3)) {
      BoundCall call = vm.function("main").bind().input(0, a).input(1, b).output(0, a);
      assertThatThrownBy(call::run)
          .isInstanceOfSatisfying(
              CallException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.VALUE))
          .hasMessage(
              """
              output 1 of function main shares the memory of a tensor that is bound to another output
                what to do: bind output 1 too, or bind a tensor that is no input of the call\
              """);
      assertThat(a.toFloatArray()).containsExactly(1, 4);
    }
  }

  @Test
  void boundTensorsThatDoNotFitAreRefusedAndNothingIsHeld() {
    try (VirtualMachine vm = swap().device("opaque").build();
        Tensor a = tensor(1);
        Tensor b = tensor(2, 3)) {
      BoundCall call = vm.function("main").bind().input(0, a).input(1, b).output(0, a);
      assertThatThrownBy(call::run)
          .isInstanceOfSatisfying(
              CallException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.VALUE))
          .hasMessage(
              """
              output 0 of function main is float32[2], but the tensor bound to it is float32[1]
                what to do: bind a tensor of the same dtype and shape\
              """);
      BoundCall outside = vm.function("main").bind().input(0, a).input(1, b).output(2, a);
      assertThatThrownBy(outside::run)
          .hasMessage("function main has no output 2: it returned 2 outputs");
      BoundCall plain = vm.function("plain").bind().input(0, 5).output(0, a);
      assertThatThrownBy(plain::run)
          .hasMessage("output 0 of function plain is an integer, not a tensor");
      assertThat(vm.memoryStats().getFirst().liveBlocks()).isZero();
    }
  }

  @Test
  void anAsynchronousCallHoldsItsArguments() throws Exception {
    try (VirtualMachine vm = swap().device("opaque").build()) {
      List<Runnable> queued = new ArrayList<>();
      Tensor a = tensor(1);
      Tensor b = tensor(2, 3);
      CompletableFuture<Value> future = vm.function("main").callAsync(queued::add, a, b);
      a.close();
      b.close();
      assertThat(a.isLive()).isTrue();
      queued.getFirst().run();
      assertThat(a.isLive()).isFalse();
      try (Value result = future.get()) {
        assertThat(result.asTuple().at(1).asTensor().toFloatArray()).containsExactly(1);
      }
      assertThat(vm.memoryStats().getFirst().liveBlocks()).isZero();
    }
  }

  @Test
  void aCancelledCallClosesItsResult() {
    try (VirtualMachine vm = swap().device("opaque").build()) {
      List<Runnable> queued = new ArrayList<>();
      CompletableFuture<Value> future =
          vm.function("main").callAsync(queued::add, tensor(1), tensor(2, 3));
      assertThat(future.cancel(true)).isTrue();
      queued.getFirst().run();
      assertThat(vm.memoryStats().getFirst().allocations()).isEqualTo(2);
      assertThat(vm.memoryStats().getFirst().liveBlocks()).isZero();
    }
  }

  @Test
  void anAsynchronousCallFailsAsACallDoes() {
    VirtualMachine vm = swap().device("cpu").build();
    assertThatThrownBy(() -> vm.function("main").callAsync(1).get())
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOf(CallException.class)
        .hasMessageContaining("main");
    assertThatThrownBy(() -> vm.function("main").callAsync(new int[] {1}, 2))
        .isInstanceOfSatisfying(
            CallException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.TYPE));
    Tensor a = tensor(1);
    assertThatThrownBy(
            () ->
                vm.function("main")
                    .callAsync(
                        task -> {
                          throw new RejectedExecutionException("full");
                        },
                        a,
                        a))
        .isInstanceOf(RejectedExecutionException.class);
    a.close();
    assertThat(a.isLive()).isFalse();
    vm.close();
    assertThatThrownBy(() -> vm.function("main").callAsync(1, 2).get())
        .hasRootCauseMessage("cannot call function main: the virtual machine is closed");
  }

  @Test
  void limitsMustBePositive() {
    assertThatThrownBy(() -> Limits.defaults().withMaxDepth(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("maxDepth must be positive, but is 0");
    assertThatThrownBy(() -> Limits.defaults().withMaxInstructions(-1))
        .hasMessage("maxInstructions must be positive, but is -1");
    assertThat(Limits.defaults().withMaxInstructions(0)).isEqualTo(Limits.defaults());
  }
}
