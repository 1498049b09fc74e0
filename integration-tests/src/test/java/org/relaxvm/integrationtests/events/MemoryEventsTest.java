package org.relaxvm.integrationtests.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.LeakNet;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.api.memory.NaiveAllocator;
import org.relaxvm.api.memory.PooledAllocator;
import org.relaxvm.api.spi.Allocator;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendtestkit.reference.ReferenceDevice;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.text.Assembler;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** Events of allocations, copies, fallbacks and leaks. */
class MemoryEventsTest {
  private final Device first = new ReferenceDevice(new DeviceId("reference", 0));
  private final Device second = new ReferenceDevice(new DeviceId("reference", 1));
  private final Device alone =
      new ReferenceDevice(new DeviceId("alone", 0)) {
        @Override
        public boolean canCopyTo(Device target) {
          return false;
        }
      };

  private static void allocate(Allocator allocator, long byteSize, long alignment) {
    try (Stream stream = allocator.device().openStream()) {
      allocator.allocate(byteSize, alignment, "", stream).close();
    }
  }

  private static Tensor tensorOn(Device device) {
    try (Stream stream = device.openStream();
        Tensor source = Tensor.of(new float[] {1, 2, 3, 4, 5, 6}, Shape.of(2, 3))) {
      return DeviceTensors.copyTo(source, new NaiveAllocator(device), stream);
    }
  }

  private static Tensor hostTensor() {
    return Tensor.zeros(DType.FLOAT32, Shape.of(2, 3));
  }

  @Test
  void anAllocationTellsWhatWasAskedForAndWhatServesIt() throws IOException {
    try (PooledAllocator pool = new PooledAllocator(first)) {
      assertThat(
              Recorded.contents(
                  "relaxvm.Allocation",
                  () -> {
                    allocate(pool, 5000, 64);
                    allocate(pool, 4100, 64);
                    allocate(pool, 100, 4096);
                    allocate(new NaiveAllocator(HostDevice.INSTANCE), 10, 64);
                  }))
          .containsExactly(
              "{blockBytes=8192, device=reference:0, heldBytes=8192, requestedBytes=5000,"
                  + " reused=false}",
              "{blockBytes=8192, device=reference:0, heldBytes=8192, requestedBytes=4100,"
                  + " reused=true}",
              "{blockBytes=100, device=reference:0, heldBytes=8292, requestedBytes=100,"
                  + " reused=false}",
              "{blockBytes=10, device=cpu:0, heldBytes=10, requestedBytes=10, reused=false}");
    }
  }

  @Test
  void allocationsAreNotRecordedUnlessAskedFor() throws IOException {
    try (PooledAllocator pool = new PooledAllocator(first);
        Recording recording = new Recording()) {
      recording.enable("relaxvm.Call");
      assertThat(Recorded.during(recording, "relaxvm.Allocation", () -> allocate(pool, 1, 64)))
          .isEmpty();
    }
  }

  @Test
  void aCopyTellsBothEndsAndHowItWent() throws IOException {
    try (Tensor host = hostTensor();
        Tensor onFirst = tensorOn(first);
        Tensor otherOnFirst = tensorOn(first);
        Tensor onSecond = tensorOn(second);
        Tensor onAlone = tensorOn(alone);
        Tensor strided = onFirst.permute(1, 0);
        Tensor tall = Tensor.zeros(DType.FLOAT32, Shape.of(3, 2))) {
      List<RecordedEvent> events =
          Recorded.events(
              "relaxvm.Copy",
              () -> {
                hostTensor().copyInto(host);
                host.copyInto(onFirst);
                onFirst.copyInto(host);
                onFirst.copyInto(otherOnFirst);
                onFirst.copyInto(onSecond);
                onAlone.copyInto(onFirst);
                strided.copyInto(tall);
              });
      assertThat(events)
          .extracting(Recorded::content)
          .containsExactly(
              "{bytes=24, from=cpu:0, kind=host, staged=false, to=cpu:0}",
              "{bytes=24, from=cpu:0, kind=host to device, staged=false, to=reference:0}",
              "{bytes=24, from=reference:0, kind=device to host, staged=false, to=cpu:0}",
              "{bytes=24, from=reference:0, kind=within device, staged=false, to=reference:0}",
              "{bytes=24, from=reference:0, kind=between devices, staged=false, to=reference:1}",
              "{bytes=24, from=alone:0, kind=between devices, staged=true, to=reference:0}",
              "{bytes=24, from=reference:0, kind=device to host, staged=true, to=cpu:0}");
      assertThat(events).allSatisfy(event -> assertThat(event.getDuration()).isPositive());
    }
  }

  @Test
  void whatIsSlowerThanAskedForIsAFallbackWithItsReason() throws IOException {
    Program captured =
        Program.of(
            Assembler.parse(
                """
                relaxvm-text 1
                @main():
                  call  vm.builtin.make_tuple                 in: dst: %0
                  call  vm.builtin.cuda_graph.run_or_capture  in: %vm, f[body], %0, i0 dst: %0
                  ret   %0
                @body():
                  call  vm.builtin.copy  in: i5 dst: %0
                  ret   %0
                @double():
                  call  vm.builtin.copy  in: i7 dst: %0
                  ret   %0
                """));
    try (Tensor onFirst = tensorOn(first);
        Tensor onAlone = tensorOn(alone);
        Tensor strided = onFirst.permute(1, 0);
        Tensor tall = Tensor.zeros(DType.FLOAT32, Shape.of(3, 2));
        PooledAllocator pool = new PooledAllocator(first);
        VirtualMachine vm = VirtualMachine.builder(captured).build()) {
      List<RecordedEvent> events =
          Recorded.events(
              "relaxvm.Fallback",
              () -> {
                onAlone.copyInto(onFirst);
                strided.copyInto(tall);
                allocate(pool, 100, 4096);
                vm.function("main").call().close();
                vm.captureOrCall("double").close();
              });
      assertThat(events)
          .extracting(Recorded::content)
          .containsExactly(
              "{reason=alone:0 cannot copy to reference:0 itself, used=two copies, through host"
                  + " memory, wanted=copy from alone:0 to reference:0 without the host}",
              "{reason=devices copy only bytes that lie together, used=copy of its whole storage to"
                  + " the host, 24 bytes, and strides followed there, wanted=copy of a strided"
                  + " tensor on reference:0}",
              "{reason=the pool aligns to 256 bytes and no more, used=a block that the device gives"
                  + " and takes back each time, wanted=a pooled block}",
              "{reason=cpu:0 records no work here, used=a call of the captured function each"
                  + " time, wanted=capture of a CUDA graph}",
              "{reason=streams of cpu:0 record no work, used=a plain call each time,"
                  + " wanted=capture of function double}");
      assertThat(events)
          .allSatisfy(event -> assertThat(event.getStackTrace().getFrames()).isNotEmpty());
    }
  }

  @Test
  void aForgottenHandleIsALeakWithThePlaceWhereItWasMade() {
    String content = leak(true);
    assertThat(content)
        .startsWith(
            "{allocationSite="
                + MemoryEventsTest.class.getName()
                + ".forget(MemoryEventsTest.java:")
        .endsWith(", kind=tensor, origin=function main}");
    assertThat(leak(false)).isEqualTo("{allocationSite=, kind=tensor, origin=function main}");
  }

  private String leak(boolean trace) {
    AtomicReference<String> seen = new AtomicReference<>();
    try (RecordingStream events = new RecordingStream()) {
      events.enable("relaxvm.Leak");
      events.onEvent("relaxvm.Leak", event -> seen.set(Recorded.content(event)));
      events.startAsync();
      forget(new LeakNet(trace));
      return Assertions.assertTimeoutPreemptively(
          Duration.ofSeconds(60),
          () -> {
            String content = seen.get();
            while (content == null) {
              System.gc();
              Thread.onSpinWait();
              content = seen.get();
            }
            return content;
          });
    }
  }

  private void forget(LeakNet net) {
    net.watch(tensorOn(first).newHandle(), "function main");
  }
}
