package org.relaxvm.integrationtests.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.spi.AllocatorStats;
import org.relaxvm.backendtestkit.reference.ReferenceBackendProvider;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.text.Assembler;
import org.relaxvm.vmcore.vm.Limits;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Programs with the built-in functions on a device, its pool and its budget. */
class MemoryReturnTest {
  private static final String PROGRAM =
      """
      relaxvm-text 1
      @kill():
        call  tensor                 in: %vm, shape[100000] dst: %0
        call  live                   in: dst: %1
        call  vm.builtin.null_value  in: dst: %0
        call  live                   in: dst: %2
        call  vm.builtin.make_tuple  in: %1, %2 dst: %3
        ret   %3
      @frame():
        call  inner  in: dst: %0
        call  live   in: dst: %1
        ret   %1
      @inner():
        call  tensor  in: %vm, shape[100000] dst: %0
        call  live    in: dst: %1
        ret   %1
      @failing():
        call  tensor       in: %vm, shape[100000] dst: %0
        call  failing_too  in: dst: %1
        ret   %1
      @failing_too():
        call  tensor  in: %vm, shape[50000] dst: %0
        call  fail    in: dst: %1
        ret   %0
      @give(shape):
        call  tensor  in: %vm, %0 dst: %1
        ret   %1
      @tensor(vm, shape):
        call  vm.builtin.alloc_storage  in: %0, %1, i0, dtype uint8, "global" dst: %2
        call  vm.builtin.alloc_tensor   in: %2, i0, %1, dtype uint8 dst: %3
        ret   %3
      """;

  private final BackendRegistry registry =
      BackendRegistry.builder()
          .discover(MemoryReturnTest.class.getClassLoader())
          .add(new ReferenceBackendProvider())
          .build();
  private final VirtualMachine vm =
      VirtualMachine.builder(Program.of(Assembler.parse(PROGRAM)))
          .registry(registry)
          .device("reference:0")
          .limits(Limits.defaults().withMemoryBudget(1 << 20))
          .function("live", MemoryReturnTest::live)
          .function(
              "fail",
              (_, _) -> {
                throw new IllegalStateException("broken");
              })
          .build();

  @AfterEach
  void close() {
    vm.close();
    registry.close();
  }

  private static void live(CallArgs args, CallResult result) {
    result.setLong(args.context().allocator(0).stats().liveBlocks());
  }

  private AllocatorStats stats() {
    return vm.memoryStats().getFirst();
  }

  @Test
  void storageReturnsWhenItsLastRegisterIsKilled() {
    try (var counts = vm.function("kill").call()) {
      assertThat(counts.asTuple().get(0)).isEqualTo(1L);
      assertThat(counts.asTuple().get(1)).isEqualTo(0L);
    }
  }

  @Test
  void storageReturnsWhenTheFrameEnds() {
    assertThat(vm.function("inner").call().asLong()).isOne();
    assertThat(vm.function("frame").call().asLong()).isZero();
  }

  @Test
  void storageOfAllFramesReturnsAfterAFailure() {
    assertThatThrownBy(() -> vm.function("failing").call()).hasMessageContaining("broken");
    assertThat(stats().liveBlocks()).isZero();
    assertThat(stats().idleBytes()).isEqualTo(106_496 + 53_248);
  }

  @Test
  void aResultHoldsItsStorageUntilItIsClosed() {
    Tensor result = vm.function("give").call(Shape.of(100_000)).asTensor();
    assertThat(stats().liveBytes()).isEqualTo(106_496);
    result.close();
    assertThat(stats().liveBytes()).isZero();
    assertThat(stats().idleBytes()).isEqualTo(106_496);
  }

  @Test
  void trimGivesIdleMemoryOfTheDevicesBackAndNoneInUse() {
    try (Tensor kept = vm.function("give").call(Shape.of(4096)).asTensor()) {
      vm.function("inner").call().close();
      assertThat(stats().idleBytes()).isEqualTo(106_496);
      vm.trim();
      assertThat(stats().idleBytes()).isZero();
      assertThat(stats().reservedBytes()).isEqualTo(4096);
      assertThat(kept.isLive()).isTrue();
    }
  }

  @Test
  void shapesThatChangeFromCallToCallStayWithinTheBudgetWithoutAFailure() {
    for (long bytes = 1000; bytes < 1 << 20; bytes += 7777) {
      vm.function("give").call(Shape.of(bytes)).close();
    }
    assertThat(stats().peakReservedBytes()).isLessThanOrEqualTo(1 << 20);
    assertThat(stats().liveBytes()).isZero();
  }
}
