package org.relaxvm.backendcuda.cublas;

import java.util.concurrent.ConcurrentLinkedQueue;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.backendcuda.context.Blocks;
import org.relaxvm.backendcuda.context.DeviceContext;
import org.relaxvm.backendcuda.context.Owned;
import org.relaxvm.backendcuda.driver.Cuda;
import org.relaxvm.backendcuda.driver.CudaStatusException;
import org.relaxvm.backendcuda.driver.Handle;
import org.relaxvm.backendsupport.vendor.Product;
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
  private final ConcurrentLinkedQueue<Worker> idle = new ConcurrentLinkedQueue<>();
  private boolean owned;
  private boolean released;

  /** Prepares to make workers; makes none. */
  public CublasWorkers(DeviceContext context) {
    this.context = context;
  }

  /** A handle of cuBLAS with memory to work in. For one thread. */
  public final class Worker {
    private final Cuda cuda = context.cuda();
    private final Handle.Context holder = context.handle();
    private final Blocks.Block workspace = workspace();
    private final Cublas.Handle handle;

    private Worker(Cublas library) {
      try {
        cuda.makeCurrent(holder);
        handle = library.open();
      } catch (CudaStatusException e) {
        workspace.giveBack();
        throw context.failure(e, "be used by cuBLAS");
      } catch (RuntimeException e) {
        workspace.giveBack();
        throw e;
      }
    }

    /** The memory of its own. */
    public Blocks.Block ownWorkspace() {
      return workspace;
    }

    /**
     * Enqueues a product.
     *
     * @param memory to work in, which {@link CublasWorkers#workspace} gave
     * @param a address of the first element
     * @param b address of the first element
     * @param c address of the first element of the result
     * @throws CudaStatusException when the device fails
     * @throws RelaxException when cuBLAS fails
     */
    public void multiply(
        Handle.Stream stream, Blocks.Block memory, Product product, long a, long b, long c) {
      cuda.makeCurrent(holder);
      handle.use(stream.address(), memory.address(), workspaceBytes());
      handle.multiply(product, a, b, c);
    }

    private void destroy() {
      try {
        cuda.makeCurrent(holder);
        handle.close();
      } catch (CudaStatusException | RelaxException e) {
        log.debug("a handle of cuBLAS on {} was not destroyed", context.id(), e);
      }
      workspace.giveBack();
    }
  }

  private long workspaceBytes() {
    return context.facts().report().major() >= HOPPER ? LARGE_WORKSPACE : SMALL_WORKSPACE;
  }

  /**
   * Memory for cuBLAS to work in; who takes it gives it back.
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

  /** A worker for a stream, which gives it back when all of its work is done. */
  public Worker take(Cublas library) {
    own();
    Worker left = idle.poll();
    return left != null ? left : new Worker(library);
  }

  private synchronized void own() {
    if (!owned) {
      context.own(this);
      owned = true;
    }
  }

  /** Takes a worker back. Never throws. */
  public void giveBack(Worker worker) {
    worker.handle.leave();
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
