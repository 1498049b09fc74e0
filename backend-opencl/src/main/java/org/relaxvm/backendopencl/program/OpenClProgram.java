package org.relaxvm.backendopencl.program;

import java.util.HashMap;
import java.util.Map;
import org.jocl.CL;
import org.jocl.cl_kernel;
import org.jocl.cl_program;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.backendopencl.context.DeviceContext;
import org.relaxvm.backendopencl.driver.OpenCl;
import org.relaxvm.backendopencl.driver.OpenClStatusException;
import org.relaxvm.backendsupport.gpu.device.Owned;
import org.relaxvm.backendsupport.gpu.module.FailedSourceDump;

/**
 * A program that was built for a device. Who builds it closes it; work that was enqueued before is
 * done all the same.
 *
 * <p>Thread-safe.
 */
public final class OpenClProgram implements Owned, AutoCloseable {
  /** System property: the folder for sources that the compiler refuses. */
  public static final String FAILED_SOURCES = "relaxvm.opencl.failedSources";

  private static final FailedSourceDump REFUSED = new FailedSourceDump(FAILED_SOURCES, ".cl");

  private final DeviceContext context;
  private final cl_program handle;
  private final Map<String, OpenClKernel> kernels = new HashMap<>();
  private boolean released;

  private OpenClProgram(DeviceContext context, cl_program handle) {
    this.context = context;
    this.handle = handle;
  }

  /**
   * Compiles and links OpenCL C.
   *
   * @param name for messages
   * @param source the whole program
   * @param options for the compiler, such as {@code -cl-fast-relaxed-math}; empty for none
   * @throws BackendException when the device has no compiler or the source is refused, with the
   *     compiler's log and where the source was written
   */
  public static OpenClProgram build(
      DeviceContext context, String name, String source, String options) {
    if (!context.facts().hasCompiler()) {
      throw new BackendException(
          ErrorKind.RUNTIME,
          context.id()
              + " cannot build the program of "
              + name
              + ": its driver has no compiler"
              + "\n  what to do: give the device programs in binary form, or use another device");
    }
    return context.make(() -> compile(context, name, source, options));
  }

  private static OpenClProgram compile(
      DeviceContext context, String name, String source, String options) {
    OpenCl cl = context.cl();
    cl_program program;
    try {
      program = cl.createProgram(context.handle(), source);
    } catch (OpenClStatusException e) {
      throw context.failure(e, "take the source of " + name);
    }
    try {
      cl.build(program, context.device(), options);
    } catch (OpenClStatusException e) {
      try {
        throw e.code() == CL.CL_BUILD_PROGRAM_FAILURE
            ? refused(context, program, name, source, options, e)
            : context.failure(e, "build the program of " + name);
      } finally {
        cl.release(program);
      }
    }
    return new OpenClProgram(context, program);
  }

  /**
   * Loads what {@link #binary()} gave, or the compiler of a vendor.
   *
   * @throws BackendException when the device does not take it
   */
  public static OpenClProgram load(DeviceContext context, byte[] binary) {
    return context.make(() -> take(context, binary));
  }

  private static OpenClProgram take(DeviceContext context, byte[] binary) {
    OpenCl cl = context.cl();
    cl_program program;
    try {
      program = cl.createProgram(context.handle(), context.device(), binary);
    } catch (OpenClStatusException e) {
      throw context.failure(e, "take a binary program of " + binary.length + " bytes");
    }
    try {
      cl.build(program, context.device(), "");
    } catch (OpenClStatusException e) {
      cl.release(program);
      throw context.failure(e, "take a binary program of " + binary.length + " bytes");
    }
    return new OpenClProgram(context, program);
  }

  private static BackendException refused(
      DeviceContext context,
      cl_program program,
      String name,
      String source,
      String options,
      OpenClStatusException e) {
    String log;
    try {
      log = context.cl().buildLog(program, context.device());
    } catch (OpenClStatusException none) {
      log = "none: " + none.getMessage();
    }
    return new BackendException(
        ErrorKind.INTERNAL,
        context.id()
            + " cannot build the program of "
            + name
            + ": "
            + e.getMessage()
            + (options.isEmpty() ? "" : "\n  options: " + options)
            + REFUSED.describe(context.options(), log, source),
        e);
  }

  /** The program as the device keeps it, for {@link #load} on the same device and driver. */
  public synchronized byte[] binary() {
    requireOpen();
    try {
      return context.use(() -> context.cl().binary(handle));
    } catch (OpenClStatusException e) {
      throw context.failure(e, "give a program back");
    }
  }

  /**
   * A kernel of the program; the same one each time.
   *
   * @throws BackendException when the program has none of that name, or it cannot be run
   */
  public synchronized OpenClKernel kernel(String name) {
    requireOpen();
    OpenClKernel known = kernels.get(name);
    if (known != null) {
      return known;
    }
    try {
      OpenClKernel kernel = context.use(() -> create(name));
      kernels.put(name, kernel);
      return kernel;
    } catch (OpenClStatusException e) {
      if (e.code() == CL.CL_INVALID_KERNEL_NAME) {
        throw new BackendException(
            ErrorKind.VALUE,
            "a program of " + context.id() + " has no kernel '" + name + "': " + e.getMessage(),
            e);
      }
      throw context.failure(e, "make the kernel " + name);
    }
  }

  private OpenClKernel create(String name) {
    cl_kernel made = context.cl().createKernel(handle, name);
    return new OpenClKernel(context, name, made, maxWorkGroupSize(made));
  }

  private long maxWorkGroupSize(cl_kernel made) {
    try {
      return context.cl().maxWorkGroupSize(made, context.device());
    } catch (OpenClStatusException e) {
      context.cl().release(made);
      throw e;
    }
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
      kernels.values().forEach(OpenClKernel::release);
      kernels.clear();
      context.cl().release(handle);
    }
  }

  @Override
  public void close() {
    releaseHandles();
    context.disown(this);
  }
}
