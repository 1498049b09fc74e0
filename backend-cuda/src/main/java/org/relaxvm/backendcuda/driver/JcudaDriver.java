package org.relaxvm.backendcuda.driver;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import jcuda.driver.CUdevice;
import jcuda.driver.CUdevice_attribute;
import jcuda.driver.CUevent_flags;
import jcuda.driver.CUgraph;
import jcuda.driver.CUmemAccess_flags;
import jcuda.driver.CUmemLocationType;
import jcuda.driver.CUresult;
import jcuda.driver.CUstreamCaptureMode;
import jcuda.driver.CUstream_flags;
import jcuda.driver.JCudaDriver;
import org.relaxvm.backendcuda.driver.JcudaHandles.DeviceAddress;
import org.relaxvm.backendcuda.driver.JcudaHandles.HostAddress;
import org.relaxvm.backendsupport.gpu.device.LiveHandles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * CUDA through JCuda, and directly where {@link LibCuda} says why.
 *
 * <p>Each call makes its context current: others in this process may have made another one so, and
 * it costs less than to ask.
 */
public final class JcudaDriver implements Cuda {
  /** The work of other threads is none of a recording's business. */
  private static final int CAPTURE_MODE = CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_RELAXED;

  private final Logger log = LoggerFactory.getLogger(JcudaDriver.class);
  private final LiveHandles<HandleKind> live = new LiveHandles<>(HandleKind.class);
  private final LibCuda direct;
  private final JcudaModules modules;

  private JcudaDriver(LibCuda direct) {
    this.direct = direct;
    this.modules = new JcudaModules(direct, driverVersion());
  }

  /**
   * Loads the library.
   *
   * @throws org.relaxvm.api.error.BackendException when there is none, with what to do
   */
  public static JcudaDriver load() {
    return new JcudaDriver(JcudaLibrary.load());
  }

  @Override
  public int driverVersion() {
    int[] version = new int[1];
    check("cuDriverGetVersion", JCudaDriver.cuDriverGetVersion(version));
    return version[0];
  }

  @Override
  public int deviceCount() {
    check("cuInit", JCudaDriver.cuInit(0));
    int[] count = new int[1];
    check("cuDeviceGetCount", JCudaDriver.cuDeviceGetCount(count));
    return count[0];
  }

  @Override
  public DeviceReport report(int device) {
    return new JcudaReports(direct).of(device);
  }

  static CUdevice device(int ordinal) {
    CUdevice device = new CUdevice();
    check("cuDeviceGet", JCudaDriver.cuDeviceGet(device, ordinal));
    return device;
  }

  @Override
  public FreeMemory freeMemory(Handle.Context context) {
    makeCurrent(context);
    long[] free = new long[1];
    long[] total = new long[1];
    check("cuMemGetInfo", JCudaDriver.cuMemGetInfo(free, total));
    return new FreeMemory(free[0], total[0]);
  }

  @Override
  public Handle.Context retainContext(int device) {
    JcudaHandles.Context made = new JcudaHandles.Context(device);
    check("cuDevicePrimaryCtxRetain", JCudaDriver.cuDevicePrimaryCtxRetain(made, device(device)));
    live.made(HandleKind.CONTEXT);
    return made;
  }

  @Override
  public void release(Handle.Context context) {
    live.released(HandleKind.CONTEXT);
    int code;
    try {
      code = JCudaDriver.cuDevicePrimaryCtxRelease(device(own(context).device()));
    } catch (CudaStatusException e) {
      code = e.code();
    }
    released(HandleKind.CONTEXT, code);
  }

  @Override
  public void enablePeer(Handle.Context from, Handle.Context to) {
    makeCurrent(from);
    int code = JCudaDriver.cuCtxEnablePeerAccess(own(to), 0);
    if (code != CUresult.CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED) {
      check("cuCtxEnablePeerAccess", code);
    }
    allowPool(own(from).device(), own(to).device());
  }

  /** Memory of a device's pool is reached by others only where the pool allows it. */
  private void allowPool(int reader, int owner) {
    if (attribute(owner, CUdevice_attribute.CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED) == 0) {
      return;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment pool = arena.allocate(ADDRESS);
      check("cuDeviceGetDefaultMemPool", direct.deviceGetDefaultMemPool(pool, owner));
      MemorySegment access = arena.allocate(JAVA_INT, 3);
      access.setAtIndex(JAVA_INT, 0, CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE);
      access.setAtIndex(JAVA_INT, 1, reader);
      access.setAtIndex(JAVA_INT, 2, CUmemAccess_flags.CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
      check("cuMemPoolSetAccess", direct.memPoolSetAccess(pool.get(JAVA_LONG, 0), access, 1));
    }
  }

  private static int attribute(int device, int attribute) {
    int[] value = new int[1];
    check(
        "cuDeviceGetAttribute", JCudaDriver.cuDeviceGetAttribute(value, attribute, device(device)));
    return value[0];
  }

  @Override
  public boolean canReach(int device, int peer) {
    int[] can = new int[1];
    check(
        "cuDeviceCanAccessPeer",
        JCudaDriver.cuDeviceCanAccessPeer(can, device(device), device(peer)));
    return can[0] != 0;
  }

  @Override
  public long allocate(Handle.Context context, long byteSize) {
    makeCurrent(context);
    DeviceAddress made = new DeviceAddress();
    check("cuMemAlloc", JCudaDriver.cuMemAlloc(made, byteSize));
    live.made(HandleKind.MEMORY);
    return made.address();
  }

  @Override
  public void free(Handle.Context context, long address) {
    release(context, HandleKind.MEMORY, () -> JCudaDriver.cuMemFree(new DeviceAddress(address)));
  }

  @Override
  public long allocateInOrder(Handle.Context context, long byteSize, Handle.Stream stream) {
    makeCurrent(context);
    DeviceAddress made = new DeviceAddress();
    check("cuMemAllocAsync", JCudaDriver.cuMemAllocAsync(made, byteSize, own(stream)));
    live.made(HandleKind.MEMORY);
    return made.address();
  }

  @Override
  public void freeInOrder(Handle.Context context, long address, Handle.Stream stream) {
    release(
        context,
        HandleKind.MEMORY,
        () -> JCudaDriver.cuMemFreeAsync(new DeviceAddress(address), own(stream)));
  }

  @Override
  @SuppressWarnings("restricted")
  public MemorySegment allocatePinned(Handle.Context context, long byteSize) {
    makeCurrent(context);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment made = arena.allocate(ADDRESS);
      check(
          "cuMemHostAlloc",
          direct.memHostAlloc(made, byteSize, JCudaDriver.CU_MEMHOSTALLOC_PORTABLE));
      live.made(HandleKind.PINNED);
      return MemorySegment.ofAddress(made.get(JAVA_LONG, 0)).reinterpret(byteSize);
    }
  }

  @Override
  public void freePinned(Handle.Context context, MemorySegment memory) {
    release(context, HandleKind.PINNED, () -> direct.memFreeHost(memory.address()));
  }

  @Override
  public void copyIn(
      Handle.Context context, MemorySegment source, long target, Handle.Stream stream) {
    makeCurrent(context);
    check(
        "cuMemcpyHtoDAsync",
        JCudaDriver.cuMemcpyHtoDAsync(
            new DeviceAddress(target),
            new HostAddress(source.address()),
            source.byteSize(),
            own(stream)));
  }

  @Override
  public void copyOut(
      Handle.Context context, long source, MemorySegment target, Handle.Stream stream) {
    makeCurrent(context);
    check(
        "cuMemcpyDtoHAsync",
        JCudaDriver.cuMemcpyDtoHAsync(
            new HostAddress(target.address()),
            new DeviceAddress(source),
            target.byteSize(),
            own(stream)));
  }

  @Override
  public void copyWithin(
      Handle.Context context, long source, long target, long byteSize, Handle.Stream stream) {
    makeCurrent(context);
    check(
        "cuMemcpyDtoDAsync",
        JCudaDriver.cuMemcpyDtoDAsync(
            new DeviceAddress(target), new DeviceAddress(source), byteSize, own(stream)));
  }

  @Override
  public void copyPeer(
      Handle.Context sourceContext,
      long source,
      Handle.Context targetContext,
      long target,
      long byteSize,
      Handle.Stream stream) {
    makeCurrent(targetContext);
    check(
        "cuMemcpyPeerAsync",
        JCudaDriver.cuMemcpyPeerAsync(
            new DeviceAddress(target),
            own(targetContext),
            new DeviceAddress(source),
            own(sourceContext),
            byteSize,
            own(stream)));
  }

  @Override
  public Handle.Stream createStream(Handle.Context context) {
    makeCurrent(context);
    JcudaHandles.Stream made = new JcudaHandles.Stream();
    check(
        "cuStreamCreate", JCudaDriver.cuStreamCreate(made, CUstream_flags.CU_STREAM_NON_BLOCKING));
    live.made(HandleKind.STREAM);
    return made;
  }

  @Override
  public void synchronize(Handle.Context context, Handle.Stream stream) {
    makeCurrent(context);
    check("cuStreamSynchronize", JCudaDriver.cuStreamSynchronize(own(stream)));
  }

  @Override
  public void waitFor(Handle.Context context, Handle.Stream stream, Handle.Event event) {
    makeCurrent(context);
    check("cuStreamWaitEvent", JCudaDriver.cuStreamWaitEvent(own(stream), own(event), 0));
  }

  @Override
  public void release(Handle.Context context, Handle.Stream stream) {
    release(context, HandleKind.STREAM, () -> JCudaDriver.cuStreamDestroy(own(stream)));
  }

  @Override
  public Handle.Event createEvent(Handle.Context context, boolean timing) {
    makeCurrent(context);
    JcudaHandles.Event made = new JcudaHandles.Event();
    int flags = timing ? CUevent_flags.CU_EVENT_DEFAULT : CUevent_flags.CU_EVENT_DISABLE_TIMING;
    check("cuEventCreate", JCudaDriver.cuEventCreate(made, flags));
    live.made(HandleKind.EVENT);
    return made;
  }

  @Override
  public void record(Handle.Context context, Handle.Event event, Handle.Stream stream) {
    makeCurrent(context);
    check("cuEventRecord", JCudaDriver.cuEventRecord(own(event), own(stream)));
  }

  @Override
  public boolean isDone(Handle.Context context, Handle.Event event) {
    makeCurrent(context);
    int code = JCudaDriver.cuEventQuery(own(event));
    if (code == CUresult.CUDA_ERROR_NOT_READY) {
      return false;
    }
    check("cuEventQuery", code);
    return true;
  }

  @Override
  public void await(Handle.Context context, Handle.Event event) {
    makeCurrent(context);
    check("cuEventSynchronize", JCudaDriver.cuEventSynchronize(own(event)));
  }

  @Override
  public float millisBetween(Handle.Context context, Handle.Event first, Handle.Event second) {
    makeCurrent(context);
    float[] millis = new float[1];
    check("cuEventElapsedTime", JCudaDriver.cuEventElapsedTime(millis, own(first), own(second)));
    return millis[0];
  }

  @Override
  public void release(Handle.Context context, Handle.Event event) {
    release(context, HandleKind.EVENT, () -> JCudaDriver.cuEventDestroy(own(event)));
  }

  @Override
  public Handle.Module loadModule(Handle.Context context, byte[] image) {
    makeCurrent(context);
    Handle.Module made = modules.load(image);
    live.made(HandleKind.MODULE);
    return made;
  }

  @Override
  public void unload(Handle.Context context, Handle.Module module) {
    release(context, HandleKind.MODULE, () -> modules.unload(module));
  }

  @Override
  public Handle.Function function(Handle.Context context, Handle.Module module, String name) {
    makeCurrent(context);
    return modules.function(module, name);
  }

  @Override
  public FunctionReport report(Handle.Context context, Handle.Function function) {
    makeCurrent(context);
    return modules.report(function);
  }

  @Override
  public void allowDynamicShared(Handle.Context context, Handle.Function function, int byteSize) {
    makeCurrent(context);
    modules.allowDynamicShared(function, byteSize);
  }

  @Override
  public void launch(Handle.Context context, Handle.Stream stream, Launch launch) {
    makeCurrent(context);
    modules.launch(stream, launch);
  }

  @Override
  public void beginCapture(Handle.Context context, Handle.Stream stream) {
    makeCurrent(context);
    check("cuStreamBeginCapture", JCudaDriver.cuStreamBeginCapture(own(stream), CAPTURE_MODE));
  }

  @Override
  public Handle.Graph endCapture(Handle.Context context, Handle.Stream stream) {
    makeCurrent(context);
    CUgraph recorded = new CUgraph();
    check("cuStreamEndCapture", JCudaDriver.cuStreamEndCapture(own(stream), recorded));
    try {
      JcudaHandles.Graph made = new JcudaHandles.Graph();
      check("cuGraphInstantiate", JCudaDriver.cuGraphInstantiate(made, recorded, 0));
      live.made(HandleKind.GRAPH);
      return made;
    } finally {
      JCudaDriver.cuGraphDestroy(recorded);
    }
  }

  @Override
  public void launch(Handle.Context context, Handle.Graph graph, Handle.Stream stream) {
    makeCurrent(context);
    check("cuGraphLaunch", JCudaDriver.cuGraphLaunch(own(graph), own(stream)));
  }

  @Override
  public void release(Handle.Context context, Handle.Graph graph) {
    release(context, HandleKind.GRAPH, () -> JCudaDriver.cuGraphExecDestroy(own(graph)));
  }

  @Override
  public Map<HandleKind, Long> liveHandles() {
    return live.counts();
  }

  private static JcudaHandles.Context own(Handle.Context context) {
    return (JcudaHandles.Context) context;
  }

  private static JcudaHandles.Stream own(Handle.Stream stream) {
    return (JcudaHandles.Stream) stream;
  }

  private static JcudaHandles.Event own(Handle.Event event) {
    return (JcudaHandles.Event) event;
  }

  private static JcudaHandles.Graph own(Handle.Graph graph) {
    return (JcudaHandles.Graph) graph;
  }

  @Override
  public void makeCurrent(Handle.Context context) {
    check("cuCtxSetCurrent", direct.ctxSetCurrent(context.address()));
  }

  static void check(String call, int code) {
    if (code != SUCCESS) {
      throw CudaStatusException.of(call, code, "");
    }
  }

  private interface Release {
    int code();
  }

  private void release(Handle.Context context, HandleKind kind, Release release) {
    live.released(kind);
    int code = direct.ctxSetCurrent(context.address());
    released(kind, code == SUCCESS ? release.code() : code);
  }

  private void released(HandleKind kind, int code) {
    if (code != SUCCESS) {
      log.debug("releasing a handle ({}) gave {}", kind, CUresult.stringFor(code));
    }
  }
}
