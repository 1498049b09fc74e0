package org.relaxvm.backendcuda.driver;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicBoolean;
import jcuda.driver.CUfunction_attribute;
import jcuda.driver.CUjit_option;

/** Modules, their kernels, and launches. A context is current for all calls. Thread-safe. */
final class JcudaModules {
  private static final int LOG_BYTES = 16 << 10;

  /** A cluster of more blocks may be more than some device has room for. */
  private static final int PORTABLE_CLUSTER = 8;

  private static final int FIRST_WITH_PREFERRED_CLUSTERS = 12080;

  private final LibCuda direct;
  private final boolean prefersClusters;

  JcudaModules(LibCuda direct, int driverVersion) {
    this.direct = direct;
    this.prefersClusters = driverVersion >= FIRST_WITH_PREFERRED_CLUSTERS;
  }

  Handle.Module load(byte[] image) {
    try (Arena arena = Arena.ofConfined()) {
      // A zero byte after it ends PTX; other images say how long they are.
      MemorySegment bytes = arena.allocate(image.length + 1L, Long.BYTES);
      MemorySegment.copy(image, 0, bytes, JAVA_BYTE, 0, image.length);
      MemorySegment log = arena.allocate(LOG_BYTES);
      MemorySegment options = arena.allocate(JAVA_INT, 2);
      options.setAtIndex(JAVA_INT, 0, CUjit_option.CU_JIT_ERROR_LOG_BUFFER);
      options.setAtIndex(JAVA_INT, 1, CUjit_option.CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
      MemorySegment values = arena.allocate(JAVA_LONG, 2);
      values.setAtIndex(JAVA_LONG, 0, log.address());
      // A number instead of a pointer.
      values.setAtIndex(JAVA_LONG, 1, LOG_BYTES);
      MemorySegment made = arena.allocate(ADDRESS);
      int code = direct.moduleLoadDataEx(made, bytes, 2, options, values);
      if (code != Cuda.SUCCESS) {
        throw CudaStatusException.of("cuModuleLoadDataEx", code, text(log));
      }
      return new DirectHandles.Module(made.get(JAVA_LONG, 0));
    }
  }

  private static String text(MemorySegment log) {
    byte[] bytes = log.toArray(JAVA_BYTE);
    int end = 0;
    while (end < bytes.length && bytes[end] != 0) {
      end++;
    }
    return new String(bytes, 0, end, UTF_8).strip();
  }

  int unload(Handle.Module module) {
    return direct.moduleUnload(module.address());
  }

  Handle.Function function(Handle.Module module, String name) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment found = arena.allocate(ADDRESS);
      JcudaDriver.check(
          "cuModuleGetFunction",
          direct.moduleGetFunction(found, module.address(), arena.allocateFrom(name)));
      return new DirectHandles.Function(found.get(JAVA_LONG, 0), new AtomicBoolean());
    }
  }

  FunctionReport report(Handle.Function function) {
    return new FunctionReport(
        ask(function, CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK),
        ask(function, CUfunction_attribute.CU_FUNC_ATTRIBUTE_NUM_REGS),
        ask(function, CUfunction_attribute.CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES),
        ask(function, CUfunction_attribute.CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES));
  }

  private int ask(Handle.Function function, int attribute) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = arena.allocate(JAVA_INT);
      JcudaDriver.check(
          "cuFuncGetAttribute", direct.funcGetAttribute(value, attribute, function.address()));
      return value.get(JAVA_INT, 0);
    }
  }

  void allowDynamicShared(Handle.Function function, int byteSize) {
    set(function, CUfunction_attribute.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, byteSize);
  }

  private void set(Handle.Function function, int attribute, int value) {
    JcudaDriver.check(
        "cuFuncSetAttribute", direct.funcSetAttribute(function.address(), attribute, value));
  }

  void launch(Handle.Stream stream, Launch launch) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment extra = LaunchMemory.extra(launch, arena);
      if (LaunchMemory.isExtended(launch)) {
        allowCluster(launch);
        MemorySegment config =
            LaunchMemory.config(launch, stream.address(), prefersClusters, arena);
        JcudaDriver.check(
            "cuLaunchKernelEx", direct.launchKernelEx(config, launch.function().address(), extra));
        return;
      }
      JcudaDriver.check(
          "cuLaunchKernel",
          direct.launchKernel(
              launch.function().address(),
              launch.grid(),
              launch.block(),
              launch.dynamicSharedBytes(),
              stream.address(),
              extra));
    }
  }

  private void allowCluster(Launch launch) {
    long blocks = Math.max(launch.cluster().count(), launch.preferredCluster().count());
    if (blocks > PORTABLE_CLUSTER
        && launch.function() instanceof DirectHandles.Function(long _, AtomicBoolean large)
        && !large.get()) {
      set(
          launch.function(),
          CUfunction_attribute.CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED,
          1);
      large.set(true);
    }
  }
}
