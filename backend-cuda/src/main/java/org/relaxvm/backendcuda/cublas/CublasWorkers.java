package org.relaxvm.backendcuda.cublas;

import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.backendcuda.context.Blocks;
import org.relaxvm.backendcuda.context.DeviceContext;
import org.relaxvm.backendcuda.driver.Cuda;
import org.relaxvm.backendcuda.driver.CudaStatusException;
import org.relaxvm.backendcuda.driver.Handle;
import org.relaxvm.backendsupport.gpu.device.Owned;
import org.relaxvm.backendsupport.gpu.vendorgemm.Gemm;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What multiplies matrices on a device: one worker for each stream that does so. To make one is
 * slow, and to destroy one waits for the whole device, so that a stream that is closed leaves its
 * worker to the next one. Thread-safe.
 */
public final class CublasWorkers implements Owned {
  /** What the documentation of cuBLAS recommends for Hopper and later, and for those before. */
  private static final long LARGE_WORKSPACE = 32L << 20;

  private static final long SMALL_WORKSPACE = 4L << 20;
  private static final int HOPPER = 9;

  private final Logger log = LoggerFactory.getLogger(CublasWorkers.class);
  private final DeviceContext context;
  private final CublasSource source;
  private final ConcurrentLinkedQueue<Worker> idle = new ConcurrentLinkedQueue<>();
  private boolean owned;
  private boolean released;

  /** Prepares to make workers; makes none. */
  public CublasWorkers(DeviceContext context, CublasSource source) {
    this.context = context;
    this.source = source;
  }

  /** Handles of cuBLAS and cuBLASLt with memory to work in. For one thread. */
  public final class Worker {
    private final Cuda cuda = context.cuda();
    private final Handle.Context holder = context.handle();
    private final Blocks.Block workspace = workspace();
    private Cublas.@Nullable Handle whole;
    private CublasLt.@Nullable Handle light;

    private Worker() {}

    /** The memory of its own. */
    public Blocks.Block ownWorkspace() {
      return workspace;
    }

    /**
     * Prepares a GEMM; enqueues nothing. Plain GEMMs are for cuBLAS, others for cuBLASLt; the
     * library has to be there.
     *
     * @return what takes memory that {@link CublasWorkers#workspace} gave; empty when cuBLASLt has
     *     no algorithm for the GEMM
     * @throws RelaxException when the library or the device fails
     */
    public Optional<Multiplication> prepare(Gemm gemm, Addresses at) {
      try {
        cuda.makeCurrent(holder);
        return gemm.isPlain() ? Optional.of(plain(gemm, at)) : light().prepare(gemm, at);
      } catch (CudaStatusException e) {
        throw context.failure(e, "be used by cuBLAS");
      }
    }

    private Multiplication plain(Gemm gemm, Addresses at) {
      Cublas.Handle handle = whole();
      return (stream, memory) -> {
        handle.use(stream, memory, workspaceBytes());
        handle.multiply(gemm, at.a(), at.b(), at.out());
      };
    }

    private Cublas.Handle whole() {
      Cublas.Handle opened = whole;
      if (opened == null) {
        opened = source.library().orElseThrow().open();
        whole = opened;
      }
      return opened;
    }

    private CublasLt.Handle light() {
      CublasLt.Handle opened = light;
      if (opened == null) {
        opened = source.lt().orElseThrow().open(workspaceBytes());
        light = opened;
      }
      return opened;
    }

    private void leave() {
      if (whole != null) {
        whole.leave();
      }
    }

    private void destroy() {
      if (whole != null) {
        destroy(whole::close);
      }
      if (light != null) {
        destroy(light::close);
      }
      workspace.giveBack();
    }

    private void destroy(Runnable close) {
      try {
        cuda.makeCurrent(holder);
        close.run();
      } catch (CudaStatusException | RelaxException e) {
        log.debug("a handle of cuBLAS on {} was not destroyed", context.id(), e);
      }
    }
  }

  private long workspaceBytes() {
    return context.facts().report().major() >= HOPPER ? LARGE_WORKSPACE : SMALL_WORKSPACE;
  }

  /**
   * Memory for cuBLAS to work in; who takes it releases it.
   *
   * @throws org.relaxvm.api.error.DeviceOutOfMemoryException when there is not so much
   */
  public Blocks.Block workspace() {
    long bytes = workspaceBytes();
    try {
      return context.blocks().take(bytes);
    } catch (CudaStatusException e) {
      throw context.allocationFailure(e, "allocate " + bytes + " bytes for cuBLAS", bytes);
    }
  }

  /** A worker for a stream, which releases it when all of its work is done. */
  public Worker take() {
    return context.use(
        () -> {
          own();
          Worker left = idle.poll();
          return left != null ? left : new Worker();
        });
  }

  private synchronized void own() {
    if (!owned) {
      context.own(this);
      owned = true;
    }
  }

  /** Takes a worker back. Never throws. */
  public void giveBack(Worker worker) {
    worker.leave();
    boolean late;
    synchronized (this) {
      late = released;
      if (!late) {
        idle.add(worker);
      }
    }
    if (late) {
      worker.destroy();
    }
  }

  @Override
  public synchronized void releaseHandles() {
    released = true;
    for (Worker worker = idle.poll(); worker != null; worker = idle.poll()) {
      worker.destroy();
    }
  }
}
