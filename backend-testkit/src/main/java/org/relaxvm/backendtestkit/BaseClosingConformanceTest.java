package org.relaxvm.backendtestkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.Event;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleLoader;
import org.relaxvm.api.spi.Stream;

/** A device that is closed while other threads create resources on it and use them. */
public abstract class BaseClosingConformanceTest extends BaseConformanceTest {
  private static final int ROUNDS = 6;
  private static final long LATEST_CLOSE_NANOS = TimeUnit.MILLISECONDS.toNanos(8);
  private static final long SECONDS_TO_END = 30;

  private interface Use {
    void of(Device device);
  }

  @Test
  void aDeviceIsClosedWhileOtherThreadsUseIt()
      throws InterruptedException, ExecutionException, TimeoutException {
    Random random = random();
    for (int round = 0; round < ROUNDS; round++) {
      closeWhileInUse(random.nextLong(LATEST_CLOSE_NANOS));
    }
    // What was closed can be opened again, and gives all of its memory.
    try (Backend again = backendUnderTest().provider().get().open()) {
      Device device = again.devices().getFirst();
      device.free(device.allocate(1 << 16, 64, ""));
    }
  }

  private void closeWhileInUse(long delayNanos)
      throws InterruptedException, ExecutionException, TimeoutException {
    Backend other = backendUnderTest().provider().get().open();
    Device device = other.devices().getFirst();
    List<Use> uses =
        List.of(
            BaseClosingConformanceTest::allocate,
            BaseClosingConformanceTest::open,
            BaseClosingConformanceTest::copy,
            this::load,
            BaseClosingConformanceTest::launch);
    AtomicBoolean stop = new AtomicBoolean();
    CountDownLatch running = new CountDownLatch(uses.size());
    try (ExecutorService threads = Executors.newFixedThreadPool(uses.size())) {
      List<Future<@Nullable RelaxException>> results = new ArrayList<>();
      for (Use use : uses) {
        results.add(threads.submit(() -> repeat(use, device, running, stop)));
      }
      running.await();
      LockSupport.parkNanos(delayNanos);
      other.close();
      stop.set(can(Capability.WORKS_AFTER_CLOSE));
      for (Future<@Nullable RelaxException> result : results) {
        assertRefusal(device, result.get(SECONDS_TO_END, TimeUnit.SECONDS));
      }
    }
  }

  /** Repeats calls until one fails; returns why. */
  private static @Nullable RelaxException repeat(
      Use use, Device device, CountDownLatch running, AtomicBoolean stop) {
    boolean counted = false;
    try {
      while (!stop.get()) {
        use.of(device);
        if (!counted) {
          running.countDown();
          counted = true;
        }
      }
      return null;
    } catch (RelaxException e) {
      return e;
    } finally {
      if (!counted) {
        running.countDown();
      }
    }
  }

  private void assertRefusal(Device device, @Nullable RelaxException refusal) {
    if (can(Capability.WORKS_AFTER_CLOSE)) {
      assertThat(refusal).isNull();
    } else {
      assertThat(refusal)
          .isNotNull()
          .hasMessageContaining("device " + device + " is closed: it cannot be used any more");
    }
  }

  private static void allocate(Device device) {
    device.free(device.allocate(256, 64, ""));
  }

  private static void open(Device device) {
    try (Stream stream = device.openStream();
        Event event = stream.record()) {
      event.await();
    }
  }

  private static void copy(Device device) {
    DeviceMemory block = device.allocate(64, 64, "");
    try (Stream stream = device.openStream()) {
      MemorySegment host = MemorySegment.ofArray(new byte[64]);
      device.copyIn(host, block, 0, stream);
      device.copyOut(block, 0, host, stream);
      stream.synchronize();
    }
    device.free(block);
  }

  private void load(Device device) {
    SampleModule sample = backendUnderTest().sampleModule();
    if (sample == null || !(device instanceof ModuleLoader loader)) {
      allocate(device);
      return;
    }
    try (Module module = loader.loadModule(sample.image())) {
      PackedFunc function = module.find(sample.symbol()).orElseThrow();
      try (DeviceSession session = new DeviceSession(device)) {
        session.callUploaded(
            function,
            Tensor.zeros(DType.FLOAT32, Shape.of(3)),
            Tensor.zeros(DType.FLOAT32, Shape.of(3)));
      }
    }
  }

  private static void launch(Device device) {
    PackedFunc add = device.library().find("relaxvm.add").orElse(null);
    if (add == null) {
      allocate(device);
      return;
    }
    try (DeviceSession session = new DeviceSession(device)) {
      Tensor x = Tensor.zeros(DType.FLOAT32, Shape.of(4));
      session.callUploaded(add, x, x, Tensor.zeros(DType.FLOAT32, Shape.of(4)));
    }
  }
}
