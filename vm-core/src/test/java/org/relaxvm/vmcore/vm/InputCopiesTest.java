package org.relaxvm.vmcore.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.relaxvm.vmcore.vm.TestProgram.r;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
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

/** Host tensors that calls copy to the device of their parameter. */
class InputCopiesTest {
  private static final DeviceId OPAQUE = new DeviceId("opaque", 0);

  private final TestDevices devices = new TestDevices();

  @AfterEach
  void close() {
    devices.close();
  }

  private static TestProgram identity() {
    return new TestProgram().function("main", 1, 1, "x").ret(0);
  }

  private VmBuilder placed(DeviceId... devicesOfParameters) {
    ProgramMetadata.Builder metadata =
        ProgramMetadata.builder().devices(List.of(OPAQUE, DeviceId.CPU));
    for (int i = 0; i < devicesOfParameters.length; i++) {
      metadata.input(
          new TensorSpec(
              "p" + i,
              DType.FLOAT32,
              List.of(Dim.symbol("n")),
              Optional.of(devicesOfParameters[i])));
    }
    Program program =
        new TestProgram()
            .function("main", 2, 3, "p0", "p1")
            .call("tuple", 2, r(0), r(1))
            .ret(2)
            .build();
    return VirtualMachine.builder(Program.of(program.executable(), metadata.build(), List.of()))
        .registry(devices.registry())
        .allocator(AllocatorKind.NAIVE)
        .function("tuple", (args, result) -> result.set(Tuple.of(args.toArray())));
  }

  @Test
  void aHostTensorIsCopiedAndGivenBackWithTheResult() {
    try (VirtualMachine vm = TestFunctions.builder(identity(), devices).device("opaque").build();
        Tensor x = Tensor.of(new float[] {1, 2}, Shape.of(2))) {
      try (Tensor result = vm.function("main").call(x).asTensor()) {
        assertThat(result.device().id()).isEqualTo(OPAQUE);
        assertThat(result.toFloatArray()).containsExactly(1, 2);
        assertThat(vm.memoryStats().getFirst().liveBlocks()).isEqualTo(1);
      }
      assertThat(vm.memoryStats().getFirst().liveBlocks()).isZero();
      assertThat(x.isLive()).isTrue();
    }
  }

  @Test
  void aCopyThatTheProgramDropsIsReleasedAtTheEndOfTheCall() {
    TestProgram program = new TestProgram().function("main", 1, 2, "x").call("null", 1).ret(1);
    try (VirtualMachine vm = TestFunctions.builder(program, devices).device("opaque").build();
        Tensor x = Tensor.of(new float[] {1, 2}, Shape.of(2))) {
      vm.function("main").call(x).close();
      assertThat(vm.memoryStats().getFirst().allocations()).isEqualTo(1);
      assertThat(vm.memoryStats().getFirst().liveBlocks()).isZero();
    }
  }

  @Test
  void aCopyThatAFunctionKeepsStaysAlive() {
    AtomicReference<Tensor> kept = new AtomicReference<>();
    TestProgram program =
        new TestProgram().function("main", 1, 2, "x").call("keep", 1, r(0)).ret(1);
    try (VirtualMachine vm =
            TestFunctions.builder(program, devices)
                .device("opaque")
                .function(
                    "keep",
                    (args, result) -> {
                      args.tensorAt(0).retain();
                      kept.set(args.tensorAt(0));
                      result.setNull();
                    })
                .build();
        Tensor x = Tensor.of(new float[] {3}, Shape.of(1))) {
      vm.function("main").call(x).close();
      Tensor copy = Objects.requireNonNull(kept.get());
      assertThat(copy.toFloatArray()).containsExactly(3);
      assertThat(vm.memoryStats().getFirst().liveBlocks()).isEqualTo(1);
      copy.release();
      assertThat(vm.memoryStats().getFirst().liveBlocks()).isZero();
    }
  }

  @Test
  void tensorsInTuplesAreCopiedAndAFailedCallGivesCopiesBack() {
    TestProgram program =
        new TestProgram()
            .function("main", 1, 1, "x")
            .ret(0)
            .function("failing", 1, 2, "x")
            .call("fail", 1, r(0))
            .ret(1);
    try (VirtualMachine vm = TestFunctions.builder(program, devices).device("opaque").build();
        Tensor x = Tensor.of(new float[] {1}, Shape.of(1));
        Tensor there = vm.upload(x)) {
      try (Value result = vm.function("main").call(List.of(x, List.of(there, x), 5))) {
        assertThat(result)
            .hasToString(
                "[float32[1] on opaque:0, [float32[1] on opaque:0, float32[1] on opaque:0], 5]");
        assertThat(vm.memoryStats().getFirst().liveBlocks()).isEqualTo(3);
      }
      assertThatThrownBy(() -> vm.function("failing").call(x)).hasMessageContaining("kernel broke");
      assertThat(vm.memoryStats().getFirst().liveBlocks()).isEqualTo(1);
    }
  }

  @Test
  void listsOfManyElementsAreCopiedWithTheirTags() {
    try (VirtualMachine vm = TestFunctions.builder(identity(), devices).device("opaque").build();
        Tensor x = Tensor.of(new float[] {1, 2}, Shape.of(2))) {
      x.retain();
      Tuple list = Tuple.ofOwned(2, new Object[] {x});
      for (int i = 0; i < 50_000; i++) {
        list = Tuple.ofOwned(1, new Object[] {i, list});
      }
      try (Value result = vm.function("main").call(list)) {
        Tuple innermost = result.asTuple();
        while (innermost.tag() == 1) {
          innermost = innermost.at(1).asTuple();
        }
        assertThat(innermost).hasToString("#2[float32[2] on opaque:0]");
      }
      Session session = vm.session();
      session.setInput("main", list);
      session.close();
      list.release();
      assertThat(vm.memoryStats().getFirst().liveBlocks()).isZero();
    }
  }

  @Test
  void refuseCopiesNothing() {
    try (VirtualMachine vm =
            TestFunctions.builder(identity(), devices)
                .device("opaque")
                .inputCopies(InputCopies.REFUSE)
                .build();
        Tensor x = Tensor.of(new float[] {1, 2}, Shape.of(2));
        Tensor result = vm.function("main").call(x).asTensor()) {
      assertThat(result.device().isHost()).isTrue();
      assertThat(vm.placement().toString())
          .contains("\ninputs:\n  main on opaque:0, host tensors are not copied: x\n");
    }
  }

  @Test
  void refuseNamesTheArgumentAndHowToUploadIt() {
    try (VirtualMachine vm = placed(OPAQUE, DeviceId.CPU).inputCopies(InputCopies.REFUSE).build();
        Tensor x = Tensor.of(new float[] {1}, Shape.of(1))) {
      assertThatThrownBy(() -> vm.function("main").call(x, x))
          .isInstanceOfSatisfying(
              CallException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.VALUE))
          .hasMessage(
              """
              argument 0 (p0) of function main must be on opaque:0, but is on cpu:0
                what to do: upload it with vm.upload(tensor)\
              """);
    }
  }

  @Test
  void eachParameterHasItsOwnDevice() {
    try (VirtualMachine vm = placed(OPAQUE, DeviceId.CPU).build();
        Tensor x = Tensor.of(new float[] {1}, Shape.of(1));
        Tensor there = vm.upload(x)) {
      try (Value result = vm.function("main").call(x, x)) {
        assertThat(result).hasToString("[float32[1] on opaque:0, float32[1] on cpu:0]");
      }
      assertThatThrownBy(() -> vm.function("main").call(x, there))
          .hasMessage(
              """
              argument 1 (p1) of function main must be on cpu:0, but is on opaque:0
                what to do: upload it with vm.upload(tensor, vm.devices().get(1))\
              """);
      assertThat(vm.memoryStats().getFirst().liveBlocks()).isEqualTo(1);
      assertThat(vm.placement().inputs())
          .containsExactly(new Placement.InputEntry("main", "p0", "opaque:0", true));
      assertThat(vm.placement().toString())
          .contains("\ninputs:\n  main on opaque:0, host tensors are copied there: p0\n");
      assertThat(vm.function("main").inputs().orElseThrow())
          .extracting(Object::toString)
          .containsExactly("p0: float32[n] on opaque:0", "p1: float32[n] on cpu:0");
    }
  }

  @Test
  void fieldsOfTuplesAreCheckedAsPlainArguments() {
    try (VirtualMachine refusing =
            placed(OPAQUE, DeviceId.CPU).inputCopies(InputCopies.REFUSE).build();
        VirtualMachine copying = placed(OPAQUE, DeviceId.CPU).build();
        Tensor x = Tensor.of(new float[] {1}, Shape.of(1));
        Tensor there = copying.upload(x)) {
      assertThatThrownBy(() -> refusing.function("main").call(List.of(there, List.of(5, x)), x))
          .isInstanceOfSatisfying(
              CallException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.VALUE))
          .hasMessage(
              """
              argument 0 (p0) of function main must be on opaque:0, but its field 1.1 is on cpu:0
                what to do: upload it with vm.upload(tensor)\
              """);
      assertThatThrownBy(() -> copying.function("main").call(List.of(x), List.of(there)))
          .hasMessage(
              """
              argument 1 (p1) of function main must be on cpu:0, but its field 0 is on opaque:0
                what to do: upload it with vm.upload(tensor, vm.devices().get(1))\
              """);
      assertThat(copying.memoryStats().getFirst().liveBlocks()).isEqualTo(1);
      try (Value result = copying.function("main").call(List.of(x, there), List.of(x))) {
        assertThat(result)
            .hasToString(
                "[[float32[1] on opaque:0, float32[1] on opaque:0], [float32[1] on cpu:0]]");
      }
    }
  }

  @Test
  void copiesUseTheIdleStreamsOfTheMachine() {
    try (VirtualMachine vm = TestFunctions.builder(identity(), devices).device("opaque").build();
        Tensor x = Tensor.of(new float[] {1}, Shape.of(1))) {
      vm.upload(x).close();
      int opened = devices.opaque().opened.get();
      for (int i = 0; i < 3; i++) {
        vm.upload(x).close();
        vm.function("main").call(x).close();
      }
      assertThat(devices.opaque().opened.get()).isEqualTo(opened);
    }
    assertThat(devices.opaque().streams.get()).isZero();
  }

  @Test
  void placementOfTheHostListsNoInputs() {
    try (VirtualMachine vm = TestFunctions.builder(identity(), devices).device("cpu").build()) {
      assertThat(vm.placement().inputs()).isEmpty();
      assertThat(vm.placement().toString()).doesNotContain("inputs:");
    }
  }

  @Test
  void uploadGoesToTheDeviceAndToTheHostWhereThatIsChosen() {
    try (VirtualMachine vm = TestFunctions.builder(identity(), devices).device("opaque").build();
        Tensor x = Tensor.of(new float[] {1, 2, 3, 4}, Shape.of(2, 2));
        Tensor transposed = x.permute(1, 0);
        Tensor there = vm.upload(transposed);
        Tensor again = vm.upload(there, vm.devices().getLast())) {
      assertThat(there.device().id()).isEqualTo(OPAQUE);
      assertThat(there.isContiguous()).isTrue();
      assertThat(there.toFloatArray()).containsExactly(1, 3, 2, 4);
      assertThat(again.device().isHost()).isTrue();
      assertThat(again.toFloatArray()).containsExactly(1, 3, 2, 4);
    }
  }

  @Test
  void uploadOnTheHostIsACopy() {
    try (VirtualMachine vm = TestFunctions.builder(identity(), devices).device("cpu").build();
        Tensor x = Tensor.of(new float[] {1, 2}, Shape.of(2));
        Tensor copy = vm.upload(x)) {
      x.fill(0);
      assertThat(copy.toFloatArray()).containsExactly(1, 2);
    }
  }

  @Test
  void uploadRefusesOtherDevicesAndClosedMachines() {
    VirtualMachine vm = TestFunctions.builder(identity(), devices).device("cpu").build();
    try (Tensor x = Tensor.of(new float[] {1}, Shape.of(1))) {
      assertThatThrownBy(() -> vm.upload(x, devices.opaque()))
          .isInstanceOfSatisfying(
              CallException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.VALUE))
          .hasMessage(
              """
              opaque:0 is not a device of this virtual machine
                its devices are: cpu:0\
              """);
      vm.close();
      assertThatThrownBy(() -> vm.upload(x))
          .hasMessage("cannot call upload: the virtual machine is closed");
    }
  }
}
