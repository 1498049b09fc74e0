package org.relaxvm.backendcuda.emulation;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.relaxvm.backendcuda.driver.Axes;
import org.relaxvm.backendcuda.driver.Cuda;
import org.relaxvm.backendcuda.driver.CudaStatusException;
import org.relaxvm.backendcuda.driver.DeviceReport;
import org.relaxvm.backendcuda.driver.FunctionReport;
import org.relaxvm.backendcuda.driver.Handle;
import org.relaxvm.backendcuda.driver.HandleKind;
import org.relaxvm.backendcuda.driver.Launch;

/**
 * The driver of devices that the host plays. Streams are threads, so that what is missing between
 * them can be missed; copies take place when a stream gets to them. Thread-safe.
 */
public final class EmulatedCuda implements Cuda {
  private static final int INVALID_IMAGE = 200;
  private static final int NOT_FOUND = 500;
  private static final int CAPTURE_UNSUPPORTED = 900;
  private static final long MEMORY = 4L << 30;

  /** Bytes of shared memory that a launch may ask for without more. */
  private static final int DECLARED_SHARED = 48 << 10;

  private final List<EmulatedHandles.Context> devices = new ArrayList<>();
  private final DeviceReport report;
  private final Map<HandleKind, AtomicLong> live = new EnumMap<>(HandleKind.class);
  private final Map<Long, Arena> pinned = new ConcurrentHashMap<>();
  private final Map<Long, EmulatedHandles.Stream> streams = new ConcurrentHashMap<>();
  private final AtomicLong names = new AtomicLong(1);
  private final Map<EmulatedHandles.Function, Integer> allowedShared = new ConcurrentHashMap<>();

  /**
   * Plays devices that are all alike.
   *
   * @param major of their compute capability
   * @param minor of their compute capability
   */
  public EmulatedCuda(int count, int major, int minor) {
    this(count, major, minor, 1024, new Axes(Integer.MAX_VALUE, 65535, 65535));
  }

  /**
   * Plays devices that are all alike, and small.
   *
   * @param maxThreads of a block
   * @param maxGrid blocks of a launch
   */
  public EmulatedCuda(int count, int major, int minor, int maxThreads, Axes maxGrid) {
    report =
        new DeviceReport(
            "Emulated GPU",
            "GPU-00000000-0000-0000-0000-000000000000",
            major,
            minor,
            MEMORY,
            8,
            32,
            maxThreads,
            new Axes(1024, 1024, 64),
            maxGrid,
            DECLARED_SHARED,
            227 << 10,
            1 << 20,
            true,
            false);
    for (int device = 0; device < count; device++) {
      devices.add(new EmulatedHandles.Context(device, new EmulatedMemory(MEMORY)));
    }
    for (HandleKind kind : HandleKind.values()) {
      live.put(kind, new AtomicLong());
    }
  }

  private void count(HandleKind kind, int by) {
    Objects.requireNonNull(live.get(kind)).addAndGet(by);
  }

  private static EmulatedMemory memory(Handle.Context context) {
    return ((EmulatedHandles.Context) context).memory();
  }

  private static EmulatedHandles.Stream own(Handle.Stream stream) {
    return (EmulatedHandles.Stream) stream;
  }

  private static EmulatedHandles.Event own(Handle.Event event) {
    return (EmulatedHandles.Event) event;
  }

  @Override
  public int driverVersion() {
    return 12060;
  }

  @Override
  public int deviceCount() {
    return devices.size();
  }

  @Override
  public DeviceReport report(int device) {
    String uuid = report.uuid().substring(0, report.uuid().length() - 1) + device;
    return new DeviceReport(
        report.name(),
        uuid,
        report.major(),
        report.minor(),
        report.totalMemory(),
        report.multiprocessors(),
        report.warpSize(),
        report.maxThreads(),
        report.maxBlock(),
        report.maxGrid(),
        report.sharedBytes(),
        report.sharedBytesAllowed(),
        report.l2Bytes(),
        report.memoryPools(),
        report.integrated());
  }

  @Override
  public FreeMemory freeMemory(Handle.Context context) {
    return new FreeMemory(memory(context).free(), memory(context).total());
  }

  @Override
  public Handle.Context retainContext(int device) {
    count(HandleKind.CONTEXT, 1);
    return devices.get(device);
  }

  @Override
  public void release(Handle.Context context) {
    count(HandleKind.CONTEXT, -1);
  }

  @Override
  public void makeCurrent(Handle.Context context) {}

  /** What another library gives a stream to do, which it knows by its address. */
  public void submit(long stream, Runnable work) {
    Objects.requireNonNull(streams.get(stream), "no such stream").submit(work);
  }

  @Override
  public void enablePeer(Handle.Context from, Handle.Context to) {}

  @Override
  public boolean canReach(int device, int peer) {
    return device != peer;
  }

  @Override
  public long allocate(Handle.Context context, long byteSize) {
    long address = memory(context).allocate("cuMemAlloc", byteSize);
    count(HandleKind.MEMORY, 1);
    return address;
  }

  @Override
  public void free(Handle.Context context, long address) {
    memory(context).free("cuMemFree", address);
    count(HandleKind.MEMORY, -1);
  }

  @Override
  public long allocateInOrder(Handle.Context context, long byteSize, Handle.Stream stream) {
    refuseWhileCapturing("cuMemAllocAsync", stream);
    return allocate(context, byteSize);
  }

  @Override
  public void freeInOrder(Handle.Context context, long address, Handle.Stream stream) {
    refuseWhileCapturing("cuMemFreeAsync", stream);
    own(stream).submit(() -> free(context, address));
  }

  private static void refuseWhileCapturing(String call, Handle.Stream stream) {
    if (own(stream).isCapturing()) {
      throw new CudaStatusException(
          call, CAPTURE_UNSUPPORTED, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED");
    }
  }

  @Override
  public MemorySegment allocatePinned(Handle.Context context, long byteSize) {
    Arena arena = Arena.ofShared();
    MemorySegment memory = arena.allocate(byteSize, 4096);
    pinned.put(memory.address(), arena);
    count(HandleKind.PINNED, 1);
    return memory;
  }

  @Override
  public void freePinned(Handle.Context context, MemorySegment memory) {
    Objects.requireNonNull(pinned.remove(memory.address())).close();
    count(HandleKind.PINNED, -1);
  }

  /** The same memory for any thread, as a driver sees it. */
  private static MemorySegment shared(MemorySegment memory) {
    return memory.isNative() ? EmulatedMemory.at(memory.address(), memory.byteSize()) : memory;
  }

  private boolean isPinned(MemorySegment memory) {
    return pinned.entrySet().stream()
        .anyMatch(
            each ->
                each.getKey() <= memory.address() && memory.address() < each.getKey() + (1 << 30));
  }

  @Override
  public void copyIn(
      Handle.Context context, MemorySegment source, long target, Handle.Stream stream) {
    MemorySegment to = EmulatedMemory.at(target, source.byteSize());
    MemorySegment from = shared(source);
    own(stream).submit(() -> to.copyFrom(from));
    if (!isPinned(source) && !own(stream).isCapturing()) {
      own(stream).await();
    }
  }

  @Override
  public void copyOut(
      Handle.Context context, long source, MemorySegment target, Handle.Stream stream) {
    MemorySegment from = EmulatedMemory.at(source, target.byteSize());
    MemorySegment to = shared(target);
    own(stream).submit(() -> to.copyFrom(from));
    if (!isPinned(target) && !own(stream).isCapturing()) {
      own(stream).await();
    }
  }

  @Override
  public void copyWithin(
      Handle.Context context, long source, long target, long byteSize, Handle.Stream stream) {
    own(stream)
        .submit(
            () ->
                EmulatedMemory.at(target, byteSize).copyFrom(EmulatedMemory.at(source, byteSize)));
  }

  @Override
  public void copyPeer(
      Handle.Context sourceContext,
      long source,
      Handle.Context targetContext,
      long target,
      long byteSize,
      Handle.Stream stream) {
    copyWithin(targetContext, source, target, byteSize, stream);
  }

  @Override
  public Handle.Stream createStream(Handle.Context context) {
    count(HandleKind.STREAM, 1);
    EmulatedHandles.Stream made = new EmulatedHandles.Stream(names.incrementAndGet());
    streams.put(made.address(), made);
    return made;
  }

  @Override
  public void synchronize(Handle.Context context, Handle.Stream stream) {
    refuseWhileCapturing("cuStreamSynchronize", stream);
    own(stream).await();
  }

  @Override
  public void waitFor(Handle.Context context, Handle.Stream stream, Handle.Event event) {
    CompletableFuture<Long> when = own(event).nanos();
    own(stream).submit(when::join);
  }

  @Override
  public void release(Handle.Context context, Handle.Stream stream) {
    own(stream).close();
    streams.remove(stream.address());
    count(HandleKind.STREAM, -1);
  }

  @Override
  public Handle.Event createEvent(Handle.Context context, boolean timing) {
    count(HandleKind.EVENT, 1);
    return new EmulatedHandles.Event();
  }

  @Override
  public void record(Handle.Context context, Handle.Event event, Handle.Stream stream) {
    CompletableFuture<Long> when = new CompletableFuture<>();
    own(event).record(when);
    own(stream).submit(() -> when.complete(System.nanoTime()));
  }

  @Override
  public boolean isDone(Handle.Context context, Handle.Event event) {
    return own(event).nanos().isDone();
  }

  @Override
  public void await(Handle.Context context, Handle.Event event) {
    own(event).nanos().join();
  }

  @Override
  public float millisBetween(Handle.Context context, Handle.Event first, Handle.Event second) {
    return (own(second).nanos().join() - own(first).nanos().join()) / 1e6f;
  }

  @Override
  public void release(Handle.Context context, Handle.Event event) {
    count(HandleKind.EVENT, -1);
  }

  @Override
  public Handle.Module loadModule(Handle.Context context, byte[] image) {
    boolean isLibrary = image.length > 4 && image[0] == 0x7f && image[1] == 'E' && image[2] == 'L';
    if (!isLibrary) {
      throw new CudaStatusException("cuModuleLoadData", INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE");
    }
    count(HandleKind.MODULE, 1);
    return new EmulatedHandles.Module(names.incrementAndGet(), new EmulatedLibrary(image));
  }

  @Override
  public void unload(Handle.Context context, Handle.Module module) {
    ((EmulatedHandles.Module) module).library().close();
    count(HandleKind.MODULE, -1);
  }

  @Override
  public Handle.Function function(Handle.Context context, Handle.Module module, String name) {
    EmulatedLibrary library = ((EmulatedHandles.Module) module).library();
    if (!library.has(name)) {
      throw new CudaStatusException("cuModuleGetFunction", NOT_FOUND, "CUDA_ERROR_NOT_FOUND");
    }
    return new EmulatedHandles.Function(names.incrementAndGet(), library, name);
  }

  @Override
  public FunctionReport report(Handle.Context context, Handle.Function function) {
    EmulatedHandles.Function own = (EmulatedHandles.Function) function;
    return new FunctionReport(own.library().threads(own.name()), 32, 0, 0);
  }

  @Override
  public void allowDynamicShared(Handle.Context context, Handle.Function function, int byteSize) {
    allowedShared.put((EmulatedHandles.Function) function, byteSize);
  }

  @Override
  public void launch(Handle.Context context, Handle.Stream stream, Launch launch) {
    EmulatedHandles.Function own = (EmulatedHandles.Function) launch.function();
    if (launch.dynamicSharedBytes() > allowedShared.getOrDefault(own, DECLARED_SHARED)) {
      throw new CudaStatusException("cuLaunchKernel", 1, "CUDA_ERROR_INVALID_VALUE");
    }
    own(stream).submit(own.library().launch(own.name(), launch));
  }

  @Override
  public void beginCapture(Handle.Context context, Handle.Stream stream) {
    own(stream).begin();
  }

  @Override
  public Handle.Graph endCapture(Handle.Context context, Handle.Stream stream) {
    count(HandleKind.GRAPH, 1);
    return new EmulatedHandles.Graph(names.incrementAndGet(), own(stream).end());
  }

  @Override
  public void launch(Handle.Context context, Handle.Graph graph, Handle.Stream stream) {
    own(stream).submit(() -> ((EmulatedHandles.Graph) graph).work().forEach(Runnable::run));
  }

  @Override
  public void release(Handle.Context context, Handle.Graph graph) {
    count(HandleKind.GRAPH, -1);
  }

  @Override
  public Map<HandleKind, Long> liveHandles() {
    Map<HandleKind, Long> all = new EnumMap<>(HandleKind.class);
    live.forEach(
        (kind, number) -> {
          if (number.get() != 0) {
            all.put(kind, number.get());
          }
        });
    return all;
  }
}
