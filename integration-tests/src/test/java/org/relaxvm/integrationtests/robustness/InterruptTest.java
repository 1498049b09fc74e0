package org.relaxvm.integrationtests.robustness;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Value;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.spi.AllocatorStats;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendcpu.CpuBackendProvider;
import org.relaxvm.backendtestkit.reference.ReferenceBackendProvider;
import org.relaxvm.backendtestkit.reference.ReferenceDevice;
import org.relaxvm.backendtestkit.reference.ReferenceStream;
import org.relaxvm.builtins.BuiltinFunctions;
import org.relaxvm.vmcore.vm.VirtualMachine;

/**
 * The thread of a call is interrupted: the call ends with a typed error, the interrupt status
 * stays, and the VM works on in this thread and in others.
 */
class InterruptTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int FOREVER = 1_000_000_000;

  /** Where a call can be held up; only the first to come is. */
  private static final class Gate {
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch opened = new CountDownLatch(1);

    /** Waits as drivers do: an interrupt does not end it. */
    void pass() {
      reached.countDown();
      boolean interrupted = false;
      while (opened.getCount() > 0) {
        try {
          opened.await();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static BackendRegistry registry(ReferenceBackendProvider reference) {
    return BackendRegistry.builder()
        .add(reference)
        .add(new CpuBackendProvider())
        .add(new BuiltinFunctions())
        .build();
  }

  @Test
  void whileALoopRuns() throws Exception {
    Gate gate = new Gate();
    gate.opened.countDown();
    AtomicInteger rounds = new AtomicInteger();
    try (BackendRegistry registry = registry(new ReferenceBackendProvider());
        VirtualMachine vm =
            LayersProgram.builder(
                    registry,
                    _ -> {
                      if (rounds.incrementAndGet() > 20) {
                        gate.pass();
                      }
                    })
                .build()) {
      interruptAt(gate, vm);
    }
  }

  @Test
  void whileTheCallWaitsForADevice() throws Exception {
    Gate gate = new Gate();
    ReferenceBackendProvider slow = new ReferenceBackendProvider(id -> new SlowDevice(id, gate));
    try (BackendRegistry registry = registry(slow);
        VirtualMachine vm = LayersProgram.builder(registry).device("reference").build()) {
      interruptAt(gate, vm);
    }
  }

  @Test
  void whileWorkersAreAtWork() throws Exception {
    Gate gate = new Gate();
    AtomicInteger pieces = new AtomicInteger();
    try (WorkerPool workers = WorkerPool.ofThreads(4);
        BackendRegistry registry = registry(new ReferenceBackendProvider());
        VirtualMachine vm =
            LayersProgram.builder(
                    registry,
                    context -> {
                      int before = pieces.get();
                      context
                          .workers()
                          .parallelFor(
                              0,
                              100,
                              1,
                              (from, to) -> {
                                gate.pass();
                                pieces.addAndGet((int) (to - from));
                              });
                      // All of them, interrupted or not: their memory may be used again now.
                      assertThat(pieces.get() - before).isEqualTo(100);
                    })
                .workers(workers)
                .build()) {
      interruptAt(gate, vm);
    }
  }

  /**
   * Interrupts a call that would run forever, once it has reached the gate, then opens the gate.
   */
  private static void interruptAt(Gate gate, VirtualMachine vm) throws InterruptedException {
    Caller caller = new Caller(vm);
    Thread thread = Thread.ofPlatform().daemon().start(caller);
    gate.reached.await();
    thread.interrupt();
    gate.opened.countDown();
    assertThat(thread.join(PATIENCE)).as("the call ended").isTrue();

    assertThat(caller.failure).isInstanceOf(CallException.class);
    CallException failure = (CallException) caller.failure;
    assertThat(failure.kind()).isEqualTo(ErrorKind.RUNTIME);
    assertThat(failure.summary())
        .isEqualTo("the call was interrupted: the thread's interrupt status is set");
    assertThat(caller.interrupted).isTrue();
    assertThat(caller.liveAfterFailure).isEqualTo(caller.liveBefore);
    assertThat(caller.resultAfterFailure).isNotEmpty().isEqualTo(call(vm, 3));
    assertThat(live(vm)).isEqualTo(caller.liveBefore);
  }

  private static byte[] call(VirtualMachine vm, int steps) {
    try (Tensor input = vm.upload(LayersProgram.input(3));
        Value result = vm.function("main").call(input, steps)) {
      return LayersProgram.bytes(result.object());
    }
  }

  private static long live(VirtualMachine vm) {
    return vm.memoryStats().stream().mapToLong(AllocatorStats::liveBlocks).sum();
  }

  /** Makes a call that is interrupted, and another one. */
  private static final class Caller implements Runnable {
    private final VirtualMachine vm;
    private final long liveBefore;
    private @Nullable RuntimeException failure;
    private boolean interrupted;
    private long liveAfterFailure;
    private byte[] resultAfterFailure = {};

    Caller(VirtualMachine vm) {
      this.vm = vm;
      this.liveBefore = live(vm);
    }

    @Override
    public void run() {
      try {
        call(vm, FOREVER);
      } catch (CallException e) {
        failure = e;
      }
      liveAfterFailure = live(vm);
      interrupted = Thread.interrupted();
      resultAfterFailure = call(vm, 3);
    }
  }

  /** A device whose streams wait at the gate, once a program runs on it. */
  private static final class SlowDevice extends ReferenceDevice {
    private final Gate gate;

    SlowDevice(DeviceId id, Gate gate) {
      super(id);
      this.gate = gate;
    }

    @Override
    public Stream openStream() {
      return new SlowStream(this);
    }

    private final class SlowStream extends ReferenceStream {
      private int submitted;

      SlowStream(ReferenceDevice device) {
        super(device);
      }

      @Override
      protected void submit(Runnable work) {
        submitted++;
        super.submit(work);
      }

      @Override
      public void synchronize() {
        // Not for the copies of inputs and constants.
        if (submitted > 6) {
          gate.pass();
        }
        super.synchronize();
      }
    }
  }
}
