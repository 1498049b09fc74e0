package org.relaxvm.backendcuda.context;

import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcuda.driver.Cuda;
import org.relaxvm.backendcuda.driver.CudaStatusException;
import org.relaxvm.backendcuda.driver.Handle;
import org.relaxvm.backendsupport.gpu.device.Owned;

/**
 * Takes memory of a device: from the driver's pool where there is one, which does not wait for all
 * of the device's work as plain memory does when it is released.
 *
 * <p>A pool works in the order of a stream. That is one of its own here, which has nothing else to
 * do: it is waited for, so that all streams may use what was taken.
 *
 * <p>Thread-safe.
 */
public final class Blocks implements Owned {
  private final DeviceContext context;
  private Handle.@Nullable Context holder;
  private Handle.@Nullable Stream order;
  private boolean released;

  Blocks(DeviceContext context) {
    this.context = context;
  }

  /** Memory that was taken, with what it takes to release it. */
  public interface Block {
    /** A multiple of {@link DeviceFacts#ALIGNMENT}. */
    long address();

    /** Releases it, once. Nobody uses it any more. Never throws. */
    void giveBack();
  }

  /**
   * Takes memory; its content is undefined.
   *
   * @param byteSize positive
   * @throws CudaStatusException when there is not so much
   */
  public Block take(long byteSize) {
    Cuda cuda = context.cuda();
    Handle.Context handle = context.handle();
    if (!context.facts().report().memoryPools()) {
      return new Plain(cuda, handle, cuda.allocate(handle, byteSize));
    }
    Handle.Stream stream = order(handle);
    Block taken = new Pooled(cuda, handle, stream, cuda.allocateInOrder(handle, byteSize, stream));
    try {
      cuda.synchronize(handle, stream);
    } catch (CudaStatusException e) {
      taken.giveBack();
      throw e;
    }
    return taken;
  }

  private synchronized Handle.Stream order(Handle.Context handle) {
    Handle.Stream made = order;
    if (made == null) {
      made = context.cuda().createStream(handle);
      order = made;
      holder = handle;
    }
    return made;
  }

  private record Plain(Cuda cuda, Handle.Context handle, long address) implements Block {
    @Override
    public void giveBack() {
      cuda.free(handle, address);
    }
  }

  private record Pooled(Cuda cuda, Handle.Context handle, Handle.Stream stream, long address)
      implements Block {
    @Override
    public void giveBack() {
      cuda.freeInOrder(handle, address, stream);
    }
  }

  @Override
  public synchronized void releaseHandles() {
    Handle.Context handle = holder;
    Handle.Stream stream = order;
    if (!released && handle != null && stream != null) {
      released = true;
      giveBackToSystem(handle, stream);
      context.cuda().release(handle, stream);
    }
  }

  /** A pool does that where a stream is waited for, and other libraries may hold the context on. */
  private void giveBackToSystem(Handle.Context handle, Handle.Stream stream) {
    if (!context.isLost()) {
      try {
        context.cuda().synchronize(handle, stream);
      } catch (CudaStatusException _) {
        // The device failed: nothing is left to give back.
      }
    }
  }
}
