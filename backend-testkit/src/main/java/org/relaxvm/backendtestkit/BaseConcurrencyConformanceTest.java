package org.relaxvm.backendtestkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Storage;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.memory.PooledAllocator;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.Event;
import org.relaxvm.api.spi.Stream;

/** One device used by many threads, each with its own stream. */
public abstract class BaseConcurrencyConformanceTest extends BaseConformanceTest {
  private static final int THREADS = 8;
  private static final int ROUNDS = 100;

  @Test
  void copiesOfManyThreadsDoNotMix() throws InterruptedException, ExecutionException {
    Device device = device();
    inParallel(
        thread -> {
          try (Stream stream = device.openStream()) {
            for (int round = 0; round < ROUNDS; round++) {
              DeviceMemory block = device.allocate(777, 64, "");
              byte[] bytes = new byte[777];
              Arrays.fill(bytes, (byte) (thread * 31 + round));
              device.copyIn(MemorySegment.ofArray(bytes), block, 0, stream);
              byte[] back = new byte[777];
              device.copyOut(block, 0, MemorySegment.ofArray(back), stream);
              stream.synchronize();
              assertThat(back).isEqualTo(bytes);
              device.free(block);
            }
          }
        });
  }

  @Test
  void kernelsOfManyThreadsDoNotMix() throws InterruptedException, ExecutionException {
    PackedFunc add = device().library().find("relaxvm.add").orElse(null);
    if (add == null) {
      return;
    }
    Device device = device();
    inParallel(
        thread -> {
          try (DeviceSession session = new DeviceSession(device)) {
            for (int round = 0; round < ROUNDS; round++) {
              float value = thread * 1000 + round;
              Tensor x = session.upload(Tensor.of(new float[] {value, -value}, Shape.of(2)));
              Tensor out = session.upload(Tensor.zeros(DType.FLOAT32, Shape.of(2)));
              session.call(add, x, x, out);
              session.stream().synchronize();
              assertThat(out.toHost().toFloatArray()).containsExactly(2 * value, -2 * value);
              session.closeTensors();
            }
          }
        });
  }

  @Test
  void aPoolIsSharedByManyStreams() throws InterruptedException, ExecutionException {
    Device device = device();
    try (PooledAllocator pool = new PooledAllocator(device)) {
      inParallel(
          thread -> {
            try (Stream stream = device.openStream()) {
              for (int round = 0; round < ROUNDS; round++) {
                byte[] bytes = new byte[64];
                Arrays.fill(bytes, (byte) (thread * 17 + round));
                byte[] back = new byte[64];
                try (Storage storage = pool.allocate(64, 64, "", stream)) {
                  device.copyIn(MemorySegment.ofArray(bytes), storage.memory(), 0, stream);
                  device.copyOut(storage.memory(), 0, MemorySegment.ofArray(back), stream);
                }
                stream.synchronize();
                assertThat(back).isEqualTo(bytes);
              }
            }
          });
      assertThat(pool.stats().liveBlocks()).isZero();
    }
  }

  @Test
  void anEventIsAwaitedFromAnotherThread() throws InterruptedException, ExecutionException {
    Device device = device();
    DeviceMemory block = device.allocate(64, 64, "");
    byte[] ones = new byte[64];
    Arrays.fill(ones, (byte) 1);
    byte[] back = new byte[64];
    device.copyIn(MemorySegment.ofArray(ones), block, 0, session().stream());
    device.copyOut(block, 0, MemorySegment.ofArray(back), session().stream());
    try (Event event = session().stream().record()) {
      inParallel(
          thread -> {
            event.await();
            assertThat(event.isComplete()).isTrue();
          });
    }
    assertThat(back).isEqualTo(ones);
    device.free(block);
  }

  private interface Work {
    void run(int thread);
  }

  private static void inParallel(Work work) throws InterruptedException, ExecutionException {
    try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<Future<?>> futures = new ArrayList<>();
      for (int i = 0; i < THREADS; i++) {
        int thread = i;
        futures.add(threads.submit(() -> work.run(thread)));
      }
      for (Future<?> future : futures) {
        future.get();
      }
    }
  }
}
