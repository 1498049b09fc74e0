package org.relaxvm.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.fakes.FakeDevice;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.api.memory.NaiveAllocator;
import org.relaxvm.api.spi.Allocator;
import org.relaxvm.api.spi.Stream;

class ManagedTest {
  /** Counts how often it is disposed of. */
  private static final class Probe extends Managed {
    private final AtomicInteger disposals = new AtomicInteger();

    @Override
    public Probe newHandle() {
      throw new UnsupportedOperationException();
    }

    @Override
    protected void dispose() {
      disposals.incrementAndGet();
    }

    @Override
    protected String describeKind() {
      return "probe";
    }
  }

  @Test
  void theLastOwnerDisposesAtOnce() {
    Probe probe = new Probe();
    probe.retain();
    probe.release();
    assertThat(probe.isLive()).isTrue();
    assertThat(probe.disposals).hasValue(0);
    probe.release();
    assertThat(probe.isLive()).isFalse();
    assertThat(probe.disposals).hasValue(1);
  }

  @Test
  void closingTwiceGivesUpOneOwner() {
    Probe probe = new Probe();
    probe.retain();
    probe.close();
    probe.close();
    assertThat(probe.isLive()).isTrue();
    probe.release();
    assertThat(probe.disposals).hasValue(1);
  }

  @Test
  void aDisposedValueCannotBeRetainedOrReleased() {
    Probe probe = new Probe();
    probe.close();
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(probe::retain)
          .isInstanceOf(CallException.class)
          .hasMessage("this probe is closed: it cannot be used any more");
    }
    assertThatThrownBy(probe::release)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a probe was released more than retained");
    assertThat(probe.disposals).hasValue(1);
  }

  @Test
  void retainAndReleaseFromManyThreadsDisposeOnce() throws Exception {
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (int round = 0; round < 200; round++) {
        Probe probe = new Probe();
        CountDownLatch start = new CountDownLatch(1);
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
          running.add(
              threads.submit(
                  () -> {
                    start.await();
                    for (int n = 0; n < 100; n++) {
                      try {
                        probe.retain();
                      } catch (CallException e) {
                        return null; // closed meanwhile, as it may be
                      }
                      assertThat(probe.disposals).hasValue(0);
                      probe.release();
                    }
                    return null;
                  }));
        }
        start.countDown();
        probe.close();
        for (Future<?> one : running) {
          one.get();
        }
        assertThat(probe.disposals).hasValue(1);
        assertThat(probe.isLive()).isFalse();
      }
    }
  }

  @Test
  void aTensorsMemoryGoesBackWithItsLastView() {
    FakeDevice device = new FakeDevice("fake:0");
    try (Allocator allocator = new NaiveAllocator(device);
        Stream stream = device.openStream()) {
      Tensor tensor = DeviceTensors.allocate(allocator, DType.INT32, Shape.of(4), stream);
      Tensor view = tensor.reshape(Shape.of(2, 2));
      Tensor alias = tensor.alias();
      tensor.close();
      view.close();
      assertThat(device.liveBlocks()).isOne();
      assertThat(alias.toLongArray()).containsExactly(0, 0, 0, 0);
      alias.close();
      alias.close();
      assertThat(device.liveBlocks()).isZero();
    }
  }

  @Test
  void aStorageHandleKeepsTheBlockAlive() {
    FakeDevice device = new FakeDevice("fake:0");
    try (Allocator allocator = new NaiveAllocator(device);
        Stream stream = device.openStream()) {
      Storage storage = allocator.allocate(16, 64, "", stream);
      assertThat(storage).hasToString("storage of 16 bytes on fake:0");
      Storage handle = storage.newHandle();
      storage.release();
      assertThat(device.liveBlocks()).isOne();
      handle.close();
      assertThat(device.liveBlocks()).isZero();
    }
  }

  @Test
  void aClosedTensorCannotBeUsed() {
    Tensor tensor = Tensor.scalar(1L);
    tensor.close();
    String message = "this tensor is closed: it cannot be used any more";
    assertThatThrownBy(tensor::segment).hasMessage(message);
    assertThatThrownBy(tensor::toLongArray).hasMessage(message);
    assertThatThrownBy(tensor::alias).hasMessage(message);
    assertThatThrownBy(tensor::toHost).hasMessage(message);
    assertThatThrownBy(() -> tensor.fill(1)).hasMessage(message);
    assertThatThrownBy(() -> Tensor.scalar(2L).copyInto(tensor)).hasMessage(message);
  }

  @Test
  void aFailedTupleLeaksNoOwner() {
    Probe good = new Probe();
    Probe dead = new Probe();
    dead.close();
    assertThatThrownBy(() -> Tuple.of(good, dead))
        .hasMessage("this probe is closed: it cannot be used any more");
    Closure closure = Closure.of("f", (args, result) -> {});
    assertThatThrownBy(() -> closure.bind(good, dead))
        .hasMessage("this probe is closed: it cannot be used any more");
    good.close();
    assertThat(good.disposals).hasValue(1);
  }
}
