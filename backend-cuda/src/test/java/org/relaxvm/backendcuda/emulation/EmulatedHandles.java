package org.relaxvm.backendcuda.emulation;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcuda.driver.Handle;

/** What the emulated driver makes. */
final class EmulatedHandles {
  private EmulatedHandles() {}

  record Context(long address, EmulatedMemory memory) implements Handle.Context {}

  record Function(long address, EmulatedLibrary library, String name) implements Handle.Function {}

  record Module(long address, EmulatedLibrary library) implements Handle.Module {}

  record Graph(long address, List<Runnable> work) implements Handle.Graph {}

  /** Complete when it has come; what never was recorded has come. */
  static final class Event implements Handle.Event {
    private volatile CompletableFuture<Long> nanos = CompletableFuture.completedFuture(0L);

    @Override
    public long address() {
      return System.identityHashCode(this);
    }

    CompletableFuture<Long> nanos() {
      return nanos;
    }

    void record(CompletableFuture<Long> when) {
      nanos = when;
    }
  }

  /** A thread that does work in order. */
  static final class Stream implements Handle.Stream {
    private final ExecutorService worker =
        Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("emulated-stream-", 0).factory());
    private final long address;
    private @Nullable List<Runnable> captured;
    private CompletableFuture<?> last = CompletableFuture.completedFuture(null);

    Stream(long address) {
      this.address = address;
    }

    @Override
    public long address() {
      return address;
    }

    /** Does work after all before it, or keeps it while it is recorded. */
    synchronized void submit(Runnable work) {
      if (captured != null) {
        captured.add(work);
        return;
      }
      last = CompletableFuture.runAsync(work, worker);
    }

    synchronized boolean isCapturing() {
      return captured != null;
    }

    synchronized void begin() {
      captured = new ArrayList<>();
    }

    synchronized List<Runnable> end() {
      List<Runnable> all = captured == null ? List.of() : List.copyOf(captured);
      captured = null;
      return all;
    }

    void await() {
      CompletableFuture<?> newest;
      synchronized (this) {
        newest = last;
      }
      newest.join();
    }

    void close() {
      worker.shutdown();
    }
  }
}
