package org.relaxvm.integrationtests.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.text.Assembler;
import org.relaxvm.vmcore.vm.Instrument;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Events of calls from outside, and of the packed functions that instructions call. */
class CallEventsTest {
  private static final String PROGRAM =
      """
      relaxvm-text 1
      @main(x):
        call  vm.builtin.copy            in: %0 dst: %1
        call  inner                      in: %1 dst: %1
        call  vm.builtin.invoke_closure  in: %vm, f[inner], %1 dst: %1
        ret   %1
      @inner(x):
        call  twice                      in: %0 dst: %1
        ret   %1
      @storage():
        call  vm.builtin.alloc_storage   in: %vm, shape[24], i0, dtype uint8, "global" dst: %0
        call  vm.builtin.alloc_tensor    in: %0, i0, shape[6], dtype float32 dst: %1
        ret   %1
      @several(a, b, c, d, e, f):
        call  none                       in: %0, %1, %2, %3, %4, %5, "text" dst: %6
        ret   %6
      @broken():
        call  fail                       in: dst: %0
        ret   %0
      """;

  private final VirtualMachine vm =
      VirtualMachine.builder(Program.of(Assembler.parse(PROGRAM)))
          .function("twice", (args, result) -> result.setLong(2 * args.longAt(0)))
          .function("none", (_, result) -> result.setLong(0))
          .function(
              "fail",
              (_, _) -> {
                throw new IllegalStateException("broken");
              })
          .build();

  @AfterEach
  void close() {
    vm.close();
  }

  @Test
  void aCallFromOutsideIsOneEvent() throws IOException {
    List<RecordedEvent> events =
        Recorded.events("relaxvm.Call", () -> vm.function("main").call(1).close());
    assertThat(events)
        .extracting(Recorded::content)
        .containsExactly("{failed=false, function=main, instructions=8}");
    assertThat(events.getFirst().getDuration()).isPositive();
    assertThat(events.getFirst().getThread().getJavaName())
        .isEqualTo(Thread.currentThread().getName());
  }

  @Test
  void aFailedCallIsAnEventToo() throws IOException {
    assertThat(
            Recorded.contents(
                "relaxvm.Call",
                () ->
                    assertThatThrownBy(() -> vm.function("broken").call())
                        .hasMessageContaining("broken")))
        .containsExactly("{failed=true, function=broken, instructions=1}");
  }

  @Test
  void aPackedFunctionThatIsInvokedHasNoName() throws IOException {
    PackedFunc seven = (_, result) -> result.setLong(7);
    assertThat(Recorded.contents("relaxvm.Call", () -> vm.invoke(seven).close()))
        .containsExactly("{failed=false, function=, instructions=0}");
  }

  @Test
  void callsAreRecordedUnlessTheyAreSwitchedOff() throws IOException {
    try (Recording recording = new Recording()) {
      recording.enable("relaxvm.Leak");
      recording.disable("relaxvm.Call");
      assertThat(
              Recorded.during(recording, "relaxvm.Call", () -> vm.function("main").call(1).close()))
          .isEmpty();
    }
  }

  @Test
  void everyPackedCallIsAKernelEventAndEndsBeforeTheCallAroundIt() throws IOException {
    List<RecordedEvent> events =
        Recorded.events("relaxvm.Kernel", () -> vm.function("main").call(1).close());
    assertThat(events)
        .extracting(event -> event.getString("function"))
        .containsExactlyInAnyOrder(
            "vm.builtin.copy", "twice", "twice", "vm.builtin.invoke_closure");
    RecordedEvent around =
        events.stream()
            .filter(event -> event.getString("function").endsWith("closure"))
            .findAny()
            .orElseThrow();
    assertThat(events)
        .allSatisfy(event -> assertThat(event.getEndTime()).isBeforeOrEqualTo(around.getEndTime()));
  }

  @Test
  void aKernelEventNamesTheDeviceOfWhatTheFunctionTookOrGave() throws IOException {
    assertThat(Recorded.contents("relaxvm.Kernel", () -> vm.function("storage").call().close()))
        .containsExactly(
            "{arguments=- - 0 - -, device=cpu:0, function=vm.builtin.alloc_storage}",
            "{arguments=- 0 - -, device=cpu:0, function=vm.builtin.alloc_tensor}");
  }

  @Test
  void aKernelEventTellsTheArgumentsWithoutTheirContent() throws IOException {
    try (Tensor tensor = Tensor.zeros(DType.FLOAT32, Shape.of(2, 3));
        Tensor scalar = Tensor.zeros(DType.INT8, Shape.of())) {
      assertThat(
              Recorded.contents(
                  "relaxvm.Kernel",
                  () -> vm.function("several").call(tensor, scalar, true, -7, 0.5, null).close()))
          .containsExactly(
              "{arguments=float32[2,3] int8[] true -7 0.5 - -, device=cpu:0, function=none}");
    }
  }

  @Test
  void anInstrumentSeesTheSameWithAndWithoutARecording() throws IOException {
    List<String> seen = new ArrayList<>();
    vm.instrument(
        new Instrument() {
          @Override
          public Action before(Object function, String symbol, CallArgs args) {
            seen.add(symbol);
            return symbol.equals("twice") ? Action.SKIP : Action.RUN;
          }
        });
    vm.function("inner").call(1).close();
    assertThat(Recorded.contents("relaxvm.Kernel", () -> vm.function("inner").call(1).close()))
        .isEmpty();
    assertThat(seen).containsExactly("twice", "twice");
  }

  @Test
  void aRunThatFailsLeavesNothingBehindForTheNext() throws IOException {
    assertThat(
            Recorded.contents(
                "relaxvm.Kernel",
                () -> {
                  assertThatThrownBy(() -> vm.function("broken").call())
                      .hasMessageContaining("broken");
                  vm.function("inner").call(1).close();
                }))
        .containsExactly("{arguments=1, device=, function=twice}");
  }

  @Test
  void kernelsAreNotRecordedUnlessAskedFor() throws IOException {
    try (Recording recording = new Recording()) {
      recording.enable("relaxvm.Call");
      assertThat(
              Recorded.during(
                  recording, "relaxvm.Kernel", () -> vm.function("main").call(1).close()))
          .isEmpty();
    }
  }
}
