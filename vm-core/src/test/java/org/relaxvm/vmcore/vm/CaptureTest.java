package org.relaxvm.vmcore.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.relaxvm.vmcore.vm.TestProgram.VOID;
import static org.relaxvm.vmcore.vm.TestProgram.imm;
import static org.relaxvm.vmcore.vm.TestProgram.r;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.Value;
import org.relaxvm.vmcore.executable.Arg;

/** Calls whose work is recorded and submitted again. */
class CaptureTest {
  private final CaptureFixture fixture = new CaptureFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  /** {@code main(x) = 12 x}, {@code x} of 4 elements: blocks come back and serve again. */
  static TestProgram chain() {
    return new TestProgram()
        .function("main", 1, 3, "x")
        .call("alloc", 1, Arg.VM, imm(0), imm(4))
        .call("relaxvm.twice", VOID, r(0), r(1))
        .call("alloc", 2, Arg.VM, imm(0), imm(4))
        .call("relaxvm.plus", VOID, r(0), r(1), r(2))
        .call("alloc", 1, Arg.VM, imm(0), imm(4))
        .call("relaxvm.twice", VOID, r(2), r(1))
        .call("null", 2)
        .call("alloc", 2, Arg.VM, imm(0), imm(4))
        .call("relaxvm.twice", VOID, r(1), r(2))
        .ret(2);
  }

  private static float[] replay(CapturedCall call) {
    try (Tensor result = call.replay().asTensor()) {
      return result.toHost().toFloatArray();
    }
  }

  private static void write(Tensor target, float... elements) {
    Tensor.of(elements, Shape.of(elements.length)).copyInto(target);
  }

  @Test
  void aReplayDoesWhatACallDoesWithWhatTheInputsHoldThen() {
    try (VirtualMachine vm = fixture.builder(chain(), "graph").build();
        Tensor x = CaptureFixture.on(vm, 0, 1, 2, 3, 4);
        CapturedCall call = vm.capture("main", x)) {
      assertThat(call.isRecorded()).isTrue();
      assertThat(call.fallbackReason()).isEmpty();
      assertThat(call.size()).isEqualTo(4);
      assertThat(call.function()).isEqualTo("main");
      assertThat(call.device()).isSameAs(fixture.graph);
      assertThat(call).hasToString("captured call of function main on graph:0");
      int launches = fixture.graph.launches.get();
      long instructions = vm.executedInstructions();
      assertThat(replay(call)).containsExactly(12, 24, 36, 48);
      write(x, 5, 6, 7, 8);
      assertThat(replay(call)).containsExactly(60, 72, 84, 96);
      write(call.input(0), 1, 0, 0, 0);
      assertThat(replay(call)).containsExactly(12, 0, 0, 0);
      call.setInput(0, Tensor.of(new float[] {0, 1, 0, 0}, Shape.of(4)));
      assertThat(replay(call)).containsExactly(0, 12, 0, 0);
      assertThat(fixture.graph.launches).hasValue(launches);
      assertThat(vm.executedInstructions()).isEqualTo(instructions);
      try (Tensor plain = vm.function("main").call(x).asTensor()) {
        assertThat(plain.toHost().toFloatArray()).containsExactly(0, 12, 0, 0);
      }
    }
  }

  @Test
  void resultsAreInTheSameMemoryAndOverwritten() {
    try (VirtualMachine vm = fixture.builder(chain(), "graph").build();
        Tensor x = CaptureFixture.on(vm, 0, 1, 2, 3, 4);
        CapturedCall call = vm.capture("main", x);
        Tensor first = call.replay().asTensor()) {
      Tensor kept = first.toHost();
      write(x, 0, 0, 0, 1);
      try (Tensor next = call.replay().asTensor()) {
        assertThat(next.storage().memory()).isSameAs(first.storage().memory());
      }
      assertThat(first.toHost().toFloatArray()).containsExactly(0, 0, 0, 12);
      assertThat(kept.toFloatArray()).containsExactly(12, 24, 36, 48);
    }
  }

  @Test
  void otherCallsGetNoneOfItsMemory() {
    try (VirtualMachine vm = fixture.builder(chain(), "graph").build();
        Tensor x = CaptureFixture.on(vm, 0, 1, 2, 3, 4);
        Tensor y = CaptureFixture.on(vm, 0, 9, 9, 9, 9)) {
      vm.function("main").call(x).close();
      long before = vm.memoryStats().getFirst().liveBlocks();
      try (CapturedCall call = vm.capture("main", x)) {
        assertThat(fixture.graph.allocationsWhileRecording).hasValue(0);
        List<Tensor> others = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
          others.add(vm.function("main").call(y).asTensor());
          assertThat(replay(call)).containsExactly(12, 24, 36, 48);
        }
        for (Tensor other : others) {
          assertThat(other.toHost().toFloatArray()).containsOnly(108);
          other.close();
        }
        vm.trim();
        assertThat(replay(call)).containsExactly(12, 24, 36, 48);
        // Two intermediate blocks and the result: the first serves twice.
        assertThat(vm.memoryStats().getFirst().liveBlocks()).isEqualTo(before + 3);
      }
      assertThat(vm.memoryStats().getFirst().liveBlocks()).isEqualTo(before);
    }
    assertThat(fixture.graph.blocks).hasValue(0);
    assertThat(fixture.graph.streams).hasValue(0);
    assertThat(fixture.graph.recordings).hasValue(0);
  }

  @Test
  void argumentsStayThoughTheirUserClosesThem() {
    TestProgram program =
        new TestProgram()
            .function("main", 2, 4, "x", "weights")
            .call("field", 2, r(1), imm(1))
            .call("alloc", 3, Arg.VM, imm(0), imm(2))
            .call("relaxvm.plus", VOID, r(0), r(2), r(3))
            .call("tuple", 3, r(3), r(0), imm(7))
            .ret(3);
    try (VirtualMachine vm = fixture.builder(program, "graph").build()) {
      Tensor x = CaptureFixture.on(vm, 0, 1, 2);
      Tensor weight = CaptureFixture.on(vm, 0, 10, 20);
      Tuple weights = Tuple.of(5L, weight);
      try (CapturedCall call = vm.capture("main", x, weights)) {
        weight.close();
        weights.close();
        x.close();
        vm.trim();
        try (Tuple result = call.replay().asTuple()) {
          assertThat(result.at(0).asTensor().toHost().toFloatArray()).containsExactly(11, 22);
          assertThat(result.at(1).asTensor().toHost().toFloatArray()).containsExactly(1, 2);
          assertThat(result.at(2).asLong()).isEqualTo(7);
        }
        write(call.input(1, 1), 30, 40);
        try (Tuple result = call.replay().asTuple()) {
          assertThat(result.at(0).asTensor().toHost().toFloatArray()).containsExactly(31, 42);
        }
      }
    }
    assertThat(fixture.graph.blocks).hasValue(0);
  }

  @Test
  void whatFunctionsGiveOutIsKeptAsLongAsTheRecording() {
    TestProgram program =
        new TestProgram()
            .function("main", 1, 3, "x")
            .call("store", 1)
            .call("alloc", 2, Arg.VM, imm(0), imm(2))
            .call("relaxvm.plus", VOID, r(0), r(1), r(2))
            .ret(2);
    try (VirtualMachine vm =
            fixture.builder(program, "graph").allocator(AllocatorKind.NAIVE).build();
        Tensor x = CaptureFixture.on(vm, 0, 1, 2)) {
      Tensor stored = CaptureFixture.on(vm, 0, 3, 4);
      fixture.stored = stored;
      try (CapturedCall call = vm.capture("main", x)) {
        stored.close();
        assertThat(replay(call)).containsExactly(4, 6);
      }
    }
    assertThat(fixture.graph.blocks).hasValue(0);
  }

  @Test
  void hostTensorsAreCopiedToTheDeviceOnce() {
    try (VirtualMachine vm = fixture.builder(chain(), "graph").build();
        CapturedCall call = vm.capture("main", Tensor.of(new float[] {1, 1, 1, 1}, Shape.of(4)))) {
      assertThat(call.input(0).device()).isSameAs(fixture.graph);
      assertThat(replay(call)).containsOnly(12);
      try (Tensor other = CaptureFixture.on(vm, 0, 2, 2, 2, 2)) {
        call.setInput(0, other);
      }
      assertThat(replay(call)).containsOnly(24);
    }
  }

  @Test
  void whatACallChangesInItsArgumentsIsChangedOnceByEach() {
    TestProgram program =
        new TestProgram()
            .function("main", 1, 1, "x")
            .call("relaxvm.twice", VOID, r(0), r(0))
            .ret(0);
    try (VirtualMachine vm = fixture.builder(program, "graph").build();
        Tensor x = CaptureFixture.on(vm, 0, 1);
        CapturedCall call = vm.capture("main", x)) {
      assertThat(x.toHost().toFloatArray()).containsExactly(2);
      assertThat(replay(call)).containsExactly(4);
      assertThat(replay(call)).containsExactly(8);
    }
  }

  @Test
  void capturedCallsRunAtTheSameTime() throws Exception {
    try (VirtualMachine vm = fixture.builder(chain(), "graph").build();
        ExecutorService threads = Executors.newFixedThreadPool(6)) {
      List<Future<?>> ends = new ArrayList<>();
      Tensor shared = CaptureFixture.on(vm, 0, 1, 1, 1, 1);
      CapturedCall together = vm.capture("main", shared);
      for (int thread = 0; thread < 6; thread++) {
        int number = thread + 1;
        ends.add(
            threads.submit(
                () -> {
                  try (Tensor x = CaptureFixture.on(vm, 0, number, 0, 0, number);
                      CapturedCall call = vm.capture("main", x)) {
                    for (int i = 0; i < 100; i++) {
                      assertThat(replay(call)).containsExactly(12 * number, 0, 0, 12 * number);
                      assertThat(replay(together)).containsOnly(12);
                    }
                  }
                  return null;
                }));
      }
      for (Future<?> end : ends) {
        end.get();
      }
      together.close();
      shared.close();
    }
    assertThat(fixture.graph.blocks).hasValue(0);
    assertThat(fixture.graph.streams).hasValue(0);
  }

  @Test
  void theVmClosesWhatIsOpenAndResultsStay() {
    VirtualMachine vm = fixture.builder(chain(), "graph").build();
    Tensor x = CaptureFixture.on(vm, 0, 1, 2, 3, 4);
    CapturedCall call = vm.capture("main", x);
    Tensor result = call.replay().asTensor();
    vm.close();
    assertThat(fixture.graph.recordings).hasValue(0);
    assertThat(result.toHost().toFloatArray()).containsExactly(12, 24, 36, 48);
    assertThat(fixture.graph.blocks).hasValue(2);
    call.close();
    result.close();
    x.close();
    assertThat(fixture.graph.blocks).hasValue(0);
    assertThat(fixture.graph.streams).hasValue(0);
  }

  @Test
  void aForgottenOneComesBackWithTheGarbage() {
    try (VirtualMachine vm = fixture.builder(chain(), "graph").traceLeaks(true).build();
        Tensor x = CaptureFixture.on(vm, 0, 1, 2, 3, 4)) {
      vm.capture("main", x);
      Assertions.assertTimeoutPreemptively(
          Duration.ofSeconds(30),
          () -> {
            while (fixture.graph.recordings.get() > 0) {
              System.gc();
              Thread.onSpinWait();
            }
          });
      assertThat(vm.capture("main", x).isRecorded()).isTrue();
    }
    assertThat(fixture.graph.blocks).hasValue(0);
  }

  @Test
  void aResultThatIsNoTensorIsThatOfTheRecording() {
    TestProgram program = new TestProgram().function("main", 1, 1, "n").ret(0);
    try (VirtualMachine vm = fixture.builder(program, "graph").build();
        CapturedCall call = vm.capture("main", 5);
        Value value = call.replay()) {
      assertThat(call.size()).isZero();
      assertThat(value.asLong()).isEqualTo(5);
    }
  }
}
