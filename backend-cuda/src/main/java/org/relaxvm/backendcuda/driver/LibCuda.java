package org.relaxvm.backendcuda.driver;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import org.jspecify.annotations.Nullable;

/**
 * The calls of CUDA's driver API that do not go through JCuda: those that it lacks, those of which
 * it gives only a part, and those of each launch, where its objects would cost more than the call.
 *
 * <p>Each method is the function of the same name without its first letters, and gives its code.
 * Handles are addresses. Stateless and thread-safe.
 */
final class LibCuda {
  private static final int NOT_SUPPORTED = 801;

  private final MethodHandle ctxSetCurrent;
  private final MethodHandle launchKernel;
  private final MethodHandle launchKernelEx;
  private final MethodHandle moduleLoadDataEx;
  private final MethodHandle moduleUnload;
  private final MethodHandle moduleGetFunction;
  private final MethodHandle funcGetAttribute;
  private final MethodHandle funcSetAttribute;
  private final MethodHandle memHostAlloc;
  private final MethodHandle memFreeHost;
  private final MethodHandle deviceGetDefaultMemPool;
  private final MethodHandle memPoolSetAccess;
  private final @Nullable MethodHandle deviceGetUuid;

  /**
   * Finds the functions.
   *
   * @param library all of the driver, from CUDA 12.0 on
   * @throws IllegalArgumentException when one is missing, with its name
   */
  LibCuda(SymbolLookup library) {
    ctxSetCurrent = call(library, "cuCtxSetCurrent", JAVA_LONG);
    launchKernel =
        call(
            library,
            "cuLaunchKernel",
            JAVA_LONG,
            JAVA_INT,
            JAVA_INT,
            JAVA_INT,
            JAVA_INT,
            JAVA_INT,
            JAVA_INT,
            JAVA_INT,
            JAVA_LONG,
            ADDRESS,
            ADDRESS);
    launchKernelEx = call(library, "cuLaunchKernelEx", ADDRESS, JAVA_LONG, ADDRESS, ADDRESS);
    moduleLoadDataEx =
        call(library, "cuModuleLoadDataEx", ADDRESS, ADDRESS, JAVA_INT, ADDRESS, ADDRESS);
    moduleUnload = call(library, "cuModuleUnload", JAVA_LONG);
    moduleGetFunction = call(library, "cuModuleGetFunction", ADDRESS, JAVA_LONG, ADDRESS);
    funcGetAttribute = call(library, "cuFuncGetAttribute", ADDRESS, JAVA_INT, JAVA_LONG);
    funcSetAttribute = call(library, "cuFuncSetAttribute", JAVA_LONG, JAVA_INT, JAVA_INT);
    memHostAlloc = call(library, "cuMemHostAlloc", ADDRESS, JAVA_LONG, JAVA_INT);
    memFreeHost = call(library, "cuMemFreeHost", JAVA_LONG);
    deviceGetDefaultMemPool = call(library, "cuDeviceGetDefaultMemPool", ADDRESS, JAVA_INT);
    memPoolSetAccess = call(library, "cuMemPoolSetAccess", JAVA_LONG, ADDRESS, JAVA_LONG);
    deviceGetUuid = find(library, "cuDeviceGetUuid_v2", ADDRESS, JAVA_INT);
  }

  private static MethodHandle call(SymbolLookup library, String name, MemoryLayout... arguments) {
    MethodHandle found = find(library, name, arguments);
    if (found == null) {
      throw new IllegalArgumentException(name);
    }
    return found;
  }

  @SuppressWarnings("restricted")
  private static @Nullable MethodHandle find(
      SymbolLookup library, String name, MemoryLayout... arguments) {
    return library
        .find(name)
        .map(
            symbol ->
                Linker.nativeLinker()
                    .downcallHandle(symbol, FunctionDescriptor.of(JAVA_INT, arguments)))
        .orElse(null);
  }

  int ctxSetCurrent(long context) {
    try {
      return (int) ctxSetCurrent.invokeExact(context);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Without kernel parameters but with extra ones. */
  int launchKernel(
      long function, Axes grid, Axes block, int sharedBytes, long stream, MemorySegment extra) {
    try {
      return (int)
          launchKernel.invokeExact(
              function,
              grid.x(),
              grid.y(),
              grid.z(),
              block.x(),
              block.y(),
              block.z(),
              sharedBytes,
              stream,
              MemorySegment.NULL,
              extra);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Without kernel parameters but with extra ones. */
  int launchKernelEx(MemorySegment config, long function, MemorySegment extra) {
    try {
      return (int) launchKernelEx.invokeExact(config, function, MemorySegment.NULL, extra);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  int moduleLoadDataEx(
      MemorySegment made,
      MemorySegment image,
      int count,
      MemorySegment options,
      MemorySegment values) {
    try {
      return (int) moduleLoadDataEx.invokeExact(made, image, count, options, values);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  int moduleUnload(long module) {
    try {
      return (int) moduleUnload.invokeExact(module);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  int moduleGetFunction(MemorySegment found, long module, MemorySegment name) {
    try {
      return (int) moduleGetFunction.invokeExact(found, module, name);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  int funcGetAttribute(MemorySegment value, int attribute, long function) {
    try {
      return (int) funcGetAttribute.invokeExact(value, attribute, function);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  int funcSetAttribute(long function, int attribute, int value) {
    try {
      return (int) funcSetAttribute.invokeExact(function, attribute, value);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  int memHostAlloc(MemorySegment made, long byteSize, int flags) {
    try {
      return (int) memHostAlloc.invokeExact(made, byteSize, flags);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  int memFreeHost(long address) {
    try {
      return (int) memFreeHost.invokeExact(address);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  int deviceGetDefaultMemPool(MemorySegment found, int device) {
    try {
      return (int) deviceGetDefaultMemPool.invokeExact(found, device);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  int memPoolSetAccess(long pool, MemorySegment access, long count) {
    try {
      return (int) memPoolSetAccess.invokeExact(pool, access, count);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Into 16 bytes; for a part of a device that of the part. */
  int deviceGetUuid(MemorySegment uuid, int device) {
    MethodHandle call = deviceGetUuid;
    if (call == null) {
      return NOT_SUPPORTED;
    }
    try {
      return (int) call.invokeExact(uuid, device);
    } catch (Throwable e) {
      throw unexpected(e);
    }
  }

  /** Calls throw nothing but what Java does when it has no memory. */
  private static RuntimeException unexpected(Throwable e) {
    if (e instanceof Error error) {
      throw error;
    }
    throw new IllegalStateException("a call of CUDA's driver could not be made", e);
  }
}
