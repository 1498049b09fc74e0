package org.relaxvm.backendopencl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.Stream;

/** The times of copies as the device tells them. */
@NeedsOpenCl
class QueueTimesTest {
  @TempDir Path folder;

  @Test
  void copiesAreRecordedWithTheirDirectionBytesAndDuration() throws IOException {
    FaultyDriver driver = new FaultyDriver();
    Path file = folder.resolve("recording.jfr");
    try (Recording recording = new Recording()) {
      recording.enable("relaxvm.DeviceCopy");
      recording.start();
      try (Backend backend = new OpenClBackendProvider(driver::driver).open()) {
        Device device = backend.devices().getFirst();
        DeviceMemory first = device.allocate(4096, 64, "");
        DeviceMemory second = device.allocate(4096, 64, "");
        try (Stream stream = device.openStream()) {
          device.copyIn(MemorySegment.ofArray(new byte[4000]), first, 0, stream);
          device.copyWithin(first, 0, second, 0, 3000, stream);
          device.copyOut(second, 0, MemorySegment.ofArray(new byte[2000]), stream);
          stream.synchronize();
        }
        device.free(first);
        device.free(second);
      }
      recording.stop();
      recording.dump(file);
    }
    List<RecordedEvent> copies = RecordingFile.readAllEvents(file);
    assertThat(copies)
        .extracting(copy -> copy.getString("kind") + " " + copy.getLong("bytes"))
        .containsExactlyInAnyOrder(
            "host to device 4000", "within device 3000", "device to host 2000");
    assertThat(copies).allMatch(copy -> copy.getLong("time") > 0);
    assertThat(driver.liveHandles()).isEmpty();
  }
}
