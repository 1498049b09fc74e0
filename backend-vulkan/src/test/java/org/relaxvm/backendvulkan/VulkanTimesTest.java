package org.relaxvm.backendvulkan;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendsupport.gpu.foreign.KernelArgument;
import org.relaxvm.backendsupport.gpu.foreign.WorkSize;
import org.relaxvm.backendvulkan.kernels.KernelInterface;
import org.relaxvm.backendvulkan.program.VulkanKernel;

/** Work that is profiled has the times of the device, on the clock of the host. */
@NeedsVulkan
class VulkanTimesTest {
  private static final int LAUNCHES = 100;

  /** By how much the clocks may be apart. */
  private static final long SLACK = Duration.ofMillis(50).toNanos();

  @TempDir Path folder;

  @Test
  void launchesAndCopiesAreTimedWithinTheTimeThatTheyWereGivenAndDone() throws IOException {
    Assumptions.assumeTrue(
        Reports.real().queue().timestampBits() > 0, "the device has no timestamps");
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
    List<RecordedEvent> kernels = events(file, "relaxvm.DeviceKernel");
    assertThat(kernels.size()).isEqualTo(LAUNCHES);
    long last = 0;
    for (RecordedEvent kernel : kernels) {
      assertThat(kernel.getString("function")).isEqualTo(NegatedKernel.NAME);
      assertThat(kernel.getString("device")).isEqualTo("vulkan:0");
      long start = kernel.getLong("start");
      long nanos = kernel.getDuration("time").toNanos();
      assertThat(nanos).isNotNegative();
      assertThat(start).isBetween(before, after);
      assertThat(start + nanos).isLessThanOrEqualTo(after + SLACK);
      assertThat(start).as("in order").isGreaterThanOrEqualTo(last);
      last = start;
    }
    assertThat(events(file, "relaxvm.DeviceCopy"))
        .extracting(copy -> copy.getString("kind"))
        .contains("within device");
  }

  private static List<RecordedEvent> events(Path file, String name) throws IOException {
    return RecordingFile.readAllEvents(file).stream()
        .filter(event -> event.getEventType().getName().equals(name))
        .toList();
  }

  private static void launch() {
    FaultyDriver driver = new FaultyDriver();
    try (Backend backend = new VulkanBackendProvider(driver::driver).open()) {
      VulkanDevice device = (VulkanDevice) backend.devices().getFirst();
      DeviceMemory block = device.allocate(64, 64, "");
      KernelArgument argument = new KernelArgument.Memory(block);
      try (Stream stream = device.openStream();
          VulkanKernel kernel =
              device.kernel(
                  Shaders.compile("negated", NegatedKernel.SOURCE),
                  new KernelInterface("main", 2, false, 0, false, false, 0),
                  "negated")) {
        // So that the clocks are compared before the first launch is done.
        stream.synchronize();
        for (int i = 0; i < LAUNCHES; i++) {
          ((VulkanStream) stream)
              .launch(
                  kernel,
                  NegatedKernel.NAME,
                  List.of(argument, argument),
                  WorkSize.of(new long[] {1}, new long[] {1}));
        }
        device.copyWithin(block, 0, block, 32, 8, stream);
        stream.synchronize();
      }
      device.free(block);
    }
    assertThat(driver.liveHandles()).isEmpty();
  }
}
