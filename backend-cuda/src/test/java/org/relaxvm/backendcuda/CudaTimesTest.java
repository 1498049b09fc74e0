package org.relaxvm.backendcuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendcuda.program.CudaProgram;
import org.relaxvm.backendcuda.program.LaunchShape;
import org.relaxvm.backendsupport.gpu.foreign.WorkSize;

/** Work that is profiled has the times of the device, on the clock of the host. */
class CudaTimesTest {
  private static final int LAUNCHES = 100;

  /** By how much the clocks may be apart. */
  private static final long SLACK = Duration.ofMillis(50).toNanos();

  private final FakeBackend fake = new FakeBackend();

  @TempDir Path folder;

  @Test
  void launchesAndCopiesAreTimedWithinTheTimeThatTheyWereGivenAndDone() throws IOException {
    Path file = folder.resolve("times.jfr");
    long before;
    long after;
    try (Recording recording = new Recording()) {
      recording.enable("relaxvm.DeviceKernel");
      recording.enable("relaxvm.DeviceCopy");
      recording.start();
      before = System.nanoTime();
      launch();
      after = System.nanoTime();
      recording.stop();
      recording.dump(file);
    }
    assertThat(fake.cuda.liveHandles()).isEmpty();
    List<RecordedEvent> kernels = events(file, "relaxvm.DeviceKernel");
    assertThat(kernels).hasSize(LAUNCHES);
    long last = 0;
    for (RecordedEvent kernel : kernels) {
      assertThat(kernel.getString("function")).isEqualTo("decode");
      assertThat(kernel.getString("device")).isEqualTo("cuda:0");
      long start = kernel.getLong("start");
      long nanos = kernel.getDuration("time").toNanos();
      assertThat(nanos).isNotNegative();
      assertThat(start).isBetween(before, after + SLACK);
      assertThat(start + nanos).isLessThanOrEqualTo(after + SLACK);
      assertThat(start).as("in order").isGreaterThanOrEqualTo(last);
      last = start;
    }
    assertThat(events(file, "relaxvm.DeviceCopy"))
        .extracting(copy -> copy.getString("kind"))
        .containsExactlyInAnyOrder("host to device", "within device", "device to host");
  }

  private static List<RecordedEvent> events(Path file, String name) throws IOException {
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().equals(name))
        .toList();
  }

  private void launch() {
    LaunchShape one = LaunchShape.of(WorkSize.of(new long[] {1}, new long[] {1}), 0);
    try (Backend backend = fake.open()) {
      CudaDevice device = (CudaDevice) backend.devices().getFirst();
      DeviceMemory block = device.allocate(64, 64, "");
      try (Stream stream = device.openStream();
          CudaProgram program = device.build("k", "source")) {
        for (int i = 0; i < LAUNCHES; i++) {
          device.own(stream).launch(program.kernel("k"), "decode", List.of(), one);
        }
        MemorySegment host = MemorySegment.ofArray(new byte[8]);
        device.copyIn(host, block, 0, stream);
        device.copyWithin(block, 0, block, 32, 8, stream);
        device.copyOut(block, 0, host, stream);
        stream.synchronize();
      }
      device.free(block);
    }
  }

  @Test
  void whileNobodyRecordsNoEventsAreMade() {
    launch();
    assertThat(fake.cuda.calls).doesNotContain("createEvent timed", "millisBetween");
  }
}
