package org.relaxvm.backendcuda.program;

import java.util.HashMap;
import java.util.Map;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.backendcuda.context.DeviceContext;
import org.relaxvm.backendcuda.driver.CudaStatusException;
import org.relaxvm.backendcuda.driver.Handle;
import org.relaxvm.backendsupport.gpu.device.Owned;

/**
 * A program that was loaded to a device. Who loads it closes it, which waits for work that was
 * enqueued before.
 *
 * <p>Thread-safe.
 */
public final class CudaProgram implements Owned, AutoCloseable {
  private static final int INVALID_IMAGE = 200;
  private static final int NO_BINARY_FOR_GPU = 209;
  private static final int INVALID_PTX = 218;
  private static final int NO_JIT_COMPILER = 221;
  private static final int UNSUPPORTED_PTX_VERSION = 222;
  private static final int NOT_FOUND = 500;

  private final DeviceContext context;
  private final Handle.Context holder;
  private final Handle.Module handle;
  private final Map<String, CudaKernel> kernels = new HashMap<>();
  private boolean released;

  private CudaProgram(DeviceContext context, Handle.Context holder, Handle.Module handle) {
    this.context = context;
    this.holder = holder;
    this.handle = handle;
  }

  /**
   * Loads an image.
   *
   * @param name for messages
   * @param image a cubin, a fat binary, or PTX
   * @throws BackendException when the device does not take it, with what its driver says and what
   *     to do
   */
  public static CudaProgram load(DeviceContext context, String name, byte[] image) {
    try {
      return context.make(
          () -> {
            Handle.Context holder = context.handle();
            return new CudaProgram(context, holder, context.cuda().loadModule(holder, image));
          });
    } catch (CudaStatusException e) {
      throw notLoaded(context, name, image, e);
    }
  }

  private static RelaxException notLoaded(
      DeviceContext context, String name, byte[] image, CudaStatusException e) {
    String whatToDo =
        switch (e.code()) {
          case INVALID_IMAGE -> "see whether the file is whole, and of the format that it says";
          case NO_BINARY_FOR_GPU ->
              "compile the program for "
                  + context.facts().target().cubin()
                  + ", or give it as PTX or CUDA C, which fit later devices, too";
          case INVALID_PTX ->
              "compile the program for "
                  + context.facts().target().ptx()
                  + " or an older architecture";
          case UNSUPPORTED_PTX_VERSION ->
              "install a newer driver of NVIDIA, or compile the program with an older release of"
                  + " CUDA";
          case NO_JIT_COMPILER ->
              "install the driver's library libnvidia-ptxjitcompiler, or give the program as a"
                  + " cubin";
          default -> "";
        };
    if (whatToDo.isEmpty()) {
      return context.failure(e, "load the program of " + name);
    }
    return new BackendException(
        ErrorKind.INTERNAL,
        context.id()
            + " cannot load the program of "
            + name
            + ", "
            + image.length
            + " bytes: "
            + e.getMessage()
            + (e.log().isEmpty() ? "" : "\n  driver: " + e.log().replace("\n", "\n    "))
            + "\n  what to do: "
            + whatToDo,
        e);
  }

  /**
   * A kernel of the program; the same one each time.
   *
   * @throws BackendException when the program has none of that name
   */
  public synchronized CudaKernel kernel(String name) {
    requireOpen();
    CudaKernel known = kernels.get(name);
    if (known != null) {
      return known;
    }
    try {
      CudaKernel kernel = context.use(() -> find(name));
      kernels.put(name, kernel);
      return kernel;
    } catch (CudaStatusException e) {
      if (e.code() == NOT_FOUND) {
        throw new BackendException(
            ErrorKind.VALUE,
            "a program of " + context.id() + " has no kernel '" + name + "': " + e.getMessage(),
            e);
      }
      throw context.failure(e, "make the kernel " + name);
    }
  }

  private CudaKernel find(String name) {
    Handle.Function found = context.cuda().function(holder, handle, name);
    return new CudaKernel(context, name, found, context.cuda().report(holder, found));
  }

  private void requireOpen() {
    context.requireUsable();
    if (released) {
      // Closing the device releases it, too.
      context.requireUsable();
      throw new BackendException(
          ErrorKind.VALUE,
          "a program of " + context.id() + " is closed: its kernels cannot be used any more");
    }
  }

  @Override
  public synchronized void releaseHandles() {
    if (!released) {
      released = true;
      kernels.values().forEach(CudaKernel::release);
      kernels.clear();
      context.cuda().unload(holder, handle);
    }
  }

  @Override
  public void close() {
    context.finishWork();
    releaseHandles();
    context.disown(this);
  }
}
