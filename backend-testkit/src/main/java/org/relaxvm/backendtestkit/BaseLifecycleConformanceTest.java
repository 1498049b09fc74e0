package org.relaxvm.backendtestkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.Event;
import org.relaxvm.api.spi.Stream;

/** Closing, what comes after it, and that nothing is left over. */
public abstract class BaseLifecycleConformanceTest extends BaseConformanceTest {
  @Test
  void closingTwiceDoesNothingMore() {
    Backend other = backendUnderTest().provider().get().open();
    Device first = other.devices().getFirst();
    Stream stream = first.openStream();
    Event event = stream.record();
    event.close();
    event.close();
    stream.close();
    stream.close();
    first.close();
    first.close();
    other.close();
    other.close();
  }

  @Test
  void aClosedDeviceRefusesEverythingUnlessItHoldsNothing() {
    Backend other = backendUnderTest().provider().get().open();
    Device closed = other.devices().getFirst();
    Stream stream = closed.openStream();
    DeviceMemory block = closed.allocate(4, 64, "");
    stream.close();
    other.close();
    if (can(Capability.WORKS_AFTER_CLOSE)) {
      closed.free(closed.allocate(4, 64, ""));
      closed.openStream().close();
      closed.free(block);
      return;
    }
    refuses(() -> closed.allocate(4, 64, ""));
    refuses(() -> closed.openStream().close());
    refuses(() -> closed.copyIn(MemorySegment.ofArray(new byte[4]), block, 0, stream));
    refuses(() -> closed.copyOut(block, 0, MemorySegment.ofArray(new byte[4]), stream));
  }

  @Test
  void blocksThatAreFreedAreUsedAgain() {
    long most = device().properties().maxAllocationBytes();
    long total = device().properties().totalMemoryBytes();
    long size = Math.min(16L << 20, Math.min(most, total == 0 ? most : total / 4));
    for (int round = 0; round < 40; round++) {
      device().free(device().allocate(size, 64, ""));
    }
    var liveBytes = backendUnderTest().liveBytes();
    if (liveBytes != null) {
      assertThat(liveBytes.applyAsLong(device())).as("live bytes of %s", device()).isZero();
    }
  }

  @Test
  void manyStreamsAndEventsAreOpenedAndClosed() {
    byte[] bytes = {1, 2, 3, 4};
    DeviceMemory block = device().allocate(4, 64, "");
    for (int round = 0; round < 500; round++) {
      try (Stream stream = device().openStream()) {
        device().copyIn(MemorySegment.ofArray(bytes), block, 0, stream);
        try (Event event = stream.record()) {
          event.await();
          assertThat(event.isComplete()).isTrue();
        }
      }
    }
    device().free(block);
  }

  @Test
  void aBackendCanBeOpenedAgain() {
    for (int round = 0; round < 5; round++) {
      try (Backend other = backendUnderTest().provider().get().open()) {
        Device device = other.devices().getFirst();
        device.free(device.allocate(1 << 16, 64, ""));
      }
    }
  }

  private static void refuses(Runnable call) {
    assertThatThrownBy(call::run).isInstanceOf(RelaxException.class).hasMessageContaining("closed");
  }
}
