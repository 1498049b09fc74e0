package org.relaxvm.backendcuda;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.relaxvm.backendcuda.driver.Axes;
import org.relaxvm.backendcuda.driver.Cuda;
import org.relaxvm.backendcuda.driver.CudaStatusException;
import org.relaxvm.backendcuda.driver.DeviceReport;
import org.relaxvm.backendcuda.driver.FunctionReport;
import org.relaxvm.backendcuda.driver.Handle;
import org.relaxvm.backendcuda.driver.HandleKind;
import org.relaxvm.backendcuda.driver.Launch;

/**
 * A driver whose devices have memory and do copies, but know kernels only that a test gives them.
 * It remembers what it was asked, and fails where it is told to.
 *
 * <p>Streams work as late as they may: what they were given is done when somebody waits for it. So
 * what is used too early, or freed too early, is found.
 */
final class RecordingCuda implements Cuda {
  private static final int NOT_FOUND = 500;
  private static final int CAPTURE_UNSUPPORTED = 900;

  final List<String> calls = Collections.synchronizedList(new ArrayList<>());
  final List<Launch> launches = Collections.synchronizedList(new ArrayList<>());
  final List<byte[]> arguments = Collections.synchronizedList(new ArrayList<>());
  final List<byte[]> images = Collections.synchronizedList(new ArrayList<>());
  final SparseMemory memory = new SparseMemory(1L << 44);

  /** What kernels do with memory and their arguments; others do nothing. */
  final Map<String, BiConsumer<SparseMemory, ByteBuffer>> kernels = new ConcurrentHashMap<>();

  /** Names that no module has. */
  final Set<String> missing = new HashSet<>();

  int version = 12060;
  List<DeviceReport> devices = List.of(device("NVIDIA H100", "GPU-00000000-0000-0000", 9, 0));
  FunctionReport functionReport = new FunctionReport(1024, 32, 0, 0);
  boolean canReach = true;

  private final Map<String, CudaStatusException> failures = new ConcurrentHashMap<>();
  private final Map<HandleKind, Long> live = new EnumMap<>(HandleKind.class);
  private final Set<Long> pinned = ConcurrentHashMap.newKeySet();
  private final Map<Long, Arena> arenas = new ConcurrentHashMap<>();
  private volatile @Nullable CudaStatusException lost;
  private long nextHandle = 1;

  static DeviceReport device(String name, String uuid, int major, int minor) {
    return new DeviceReport(
        name,
        uuid,
        major,
        minor,
        80L << 30,
        132,
        32,
        1024,
        new Axes(1024, 1024, 64),
        new Axes(Integer.MAX_VALUE, 65535, 65535),
        48 << 10,
        227 << 10,
        50 << 20,
        true,
        false);
  }

  /** Lets a method fail from now on. */
  void fail(String method, String call, int code) {
    failures.put(method, CudaStatusException.of(call, code, ""));
  }

  /** Lets a method fail from now on, with what a compiler says. */
  void fail(String method, String call, int code, String log) {
    failures.put(method, CudaStatusException.of(call, code, log));
  }

  /** Lets a method work again. */
  void heal(String method) {
    failures.remove(method);
  }

  private void asked(String method, String what) {
    calls.add(what.isEmpty() ? method : method + " " + what);
    CudaStatusException failure = failures.get(method);
    if (failure != null) {
      throw failure;
    }
    requireAlive("cu" + Character.toUpperCase(method.charAt(0)) + method.substring(1));
  }

  private void requireAlive(String call) {
    CudaStatusException fault = lost;
    if (fault != null) {
      throw CudaStatusException.of(call, fault.code(), "");
    }
  }

  private synchronized void count(HandleKind kind, int difference) {
    long now = live.merge(kind, (long) difference, Long::sum);
    if (now < 0) {
      throw new AssertionError("released more than was made: " + kind);
    }
  }

  private synchronized long made(HandleKind kind) {
    count(kind, 1);
    return nextHandle++;
  }

  record Context(long address, int device) implements Handle.Context {}

  record Module(long address) implements Handle.Module {}

  record Function(long address, String name) implements Handle.Function {}

  record Graph(long address, List<Runnable> work) implements Handle.Graph {}

  /** An event, and how far its stream was when it was recorded. */
  static final class Event implements Handle.Event {
    private final long address;
    private volatile boolean done = true;
    private volatile long nanos;
    private volatile RecordingCuda.@Nullable Stream stream;

    Event(long address) {
      this.address = address;
    }

    @Override
    public long address() {
      return address;
    }
  }

  /** A stream that works when somebody waits for it. */
  static final class Stream implements Handle.Stream {
    private final long address;
    private final List<Runnable> pending = new ArrayList<>();
    private @Nullable List<Runnable> captured;

    Stream(long address) {
      this.address = address;
    }

    @Override
    public long address() {
      return address;
    }
  }

  private void submit(Handle.Stream to, Runnable work) {
    Stream stream = (Stream) to;
    synchronized (this) {
      if (stream.captured != null) {
        stream.captured.add(work);
      } else {
        stream.pending.add(work);
      }
    }
  }

  private void notWhileCapturing(Handle.Stream stream, String call) {
    if (((Stream) stream).captured != null) {
      throw CudaStatusException.of(call, CAPTURE_UNSUPPORTED, "");
    }
  }

  /** Does what a stream was given; a fault stays. */
  private void drain(Stream stream) {
    // By one thread at a time, in order.
    synchronized (stream) {
      drainAlone(stream);
    }
  }

  private void drainAlone(Stream stream) {
    while (true) {
      Runnable work;
      synchronized (this) {
        if (stream.pending.isEmpty() || lost != null) {
          return;
        }
        work = stream.pending.removeFirst();
      }
      try {
        work.run();
      } catch (CudaStatusException fault) {
        lost = fault;
      }
    }
  }

  @Override
  public int driverVersion() {
    asked("driverVersion", "");
    return version;
  }

  @Override
  public int deviceCount() {
    asked("deviceCount", "");
    return devices.size();
  }

  @Override
  public DeviceReport report(int device) {
    asked("report", Integer.toString(device));
    return devices.get(device);
  }

  @Override
  public FreeMemory freeMemory(Handle.Context context) {
    asked("freeMemory", "");
    return new FreeMemory(1L << 30, 80L << 30);
  }

  @Override
  public Handle.Context retainContext(int device) {
    asked("retainContext", Integer.toString(device));
    return new Context(made(HandleKind.CONTEXT), device);
  }

  @Override
  public void release(Handle.Context context) {
    count(HandleKind.CONTEXT, -1);
  }

  @Override
  public void makeCurrent(Handle.Context context) {}

  @Override
  public void enablePeer(Handle.Context from, Handle.Context to) {
    asked("enablePeer", ((Context) from).device() + " " + ((Context) to).device());
  }

  @Override
  public boolean canReach(int device, int peer) {
    asked("canReach", device + " " + peer);
    return canReach;
  }

  @Override
  public long allocate(Handle.Context context, long byteSize) {
    asked("allocate", Long.toString(byteSize));
    count(HandleKind.MEMORY, 1);
    return memory.allocate(byteSize);
  }

  @Override
  public void free(Handle.Context context, long address) {
    calls.add("free");
    memory.free(address);
    count(HandleKind.MEMORY, -1);
  }

  @Override
  public long allocateInOrder(Handle.Context context, long byteSize, Handle.Stream stream) {
    asked("allocateInOrder", Long.toString(byteSize));
    count(HandleKind.MEMORY, 1);
    return memory.allocate(byteSize);
  }

  @Override
  public void freeInOrder(Handle.Context context, long address, Handle.Stream stream) {
    calls.add("freeInOrder");
    memory.free(address);
    count(HandleKind.MEMORY, -1);
  }

  @Override
  public MemorySegment allocatePinned(Handle.Context context, long byteSize) {
    asked("allocatePinned", Long.toString(byteSize));
    Arena arena = Arena.ofShared();
    MemorySegment made = arena.allocate(byteSize);
    arenas.put(made.address(), arena);
    for (long at = 0; at < byteSize; at += 64) {
      pinned.add(made.address() + at);
    }
    count(HandleKind.PINNED, 1);
    return made;
  }

  @Override
  public void freePinned(Handle.Context context, MemorySegment segment) {
    Arena arena = arenas.remove(segment.address());
    if (arena == null) {
      throw new AssertionError("no pinned memory begins there");
    }
    // Its addresses may be those of other memory from now on.
    for (long at = 0; at < segment.byteSize(); at += 64) {
      pinned.remove(segment.address() + at);
    }
    arena.close();
    count(HandleKind.PINNED, -1);
  }

  @Override
  public void copyIn(
      Handle.Context context, MemorySegment source, long target, Handle.Stream stream) {
    boolean isPinned = pinned.contains(source.address());
    asked("copyIn", source.byteSize() + (isPinned ? " pinned" : " pageable"));
    notWhileCapturing(stream, "cuMemcpyHtoDAsync");
    // Memory that is not pinned is read before the call returns.
    MemorySegment read =
        isPinned ? source : MemorySegment.ofArray(source.toArray(ValueLayout.JAVA_BYTE));
    submit(stream, () -> memory.write(target, read));
  }

  @Override
  public void copyOut(
      Handle.Context context, long source, MemorySegment target, Handle.Stream stream) {
    asked("copyOut", Long.toString(target.byteSize()));
    notWhileCapturing(stream, "cuMemcpyDtoHAsync");
    submit(stream, () -> memory.read(source, asDeviceSees(target)));
  }

  /**
   * Host memory as a device sees it: by its address. Whoever waits for a stream does its copies,
   * and that need not be the thread that owns the memory.
   */
  @SuppressWarnings("restricted") // The length is that of the memory, which is alive.
  private static MemorySegment asDeviceSees(MemorySegment host) {
    if (!host.scope().isAlive()) {
      throw new AssertionError("host memory was released before a stream copied to it: " + host);
    }
    return MemorySegment.ofAddress(host.address()).reinterpret(host.byteSize());
  }

  @Override
  public void copyWithin(
      Handle.Context context, long source, long target, long byteSize, Handle.Stream stream) {
    asked("copyWithin", Long.toString(byteSize));
    submit(stream, () -> move(source, target, byteSize));
  }

  private void move(long source, long target, long byteSize) {
    MemorySegment bytes = MemorySegment.ofArray(new byte[Math.toIntExact(byteSize)]);
    memory.read(source, bytes);
    memory.write(target, bytes);
  }

  @Override
  public void copyPeer(
      Handle.Context sourceContext,
      long source,
      Handle.Context targetContext,
      long target,
      long byteSize,
      Handle.Stream stream) {
    asked(
        "copyPeer",
        ((Context) sourceContext).device()
            + " to "
            + ((Context) targetContext).device()
            + ", "
            + byteSize);
    submit(stream, () -> move(source, target, byteSize));
  }

  @Override
  public Handle.Stream createStream(Handle.Context context) {
    asked("createStream", "");
    return new Stream(made(HandleKind.STREAM));
  }

  @Override
  public void synchronize(Handle.Context context, Handle.Stream stream) {
    asked("synchronize", "");
    notWhileCapturing(stream, "cuStreamSynchronize");
    drain((Stream) stream);
    requireAlive("cuStreamSynchronize");
  }

  @Override
  public void waitFor(Handle.Context context, Handle.Stream stream, Handle.Event event) {
    asked("waitFor", "");
    Event point = (Event) event;
    submit(stream, () -> reach(point));
  }

  private void reach(Event point) {
    Stream other = point.stream;
    if (!point.done && other != null) {
      drain(other);
    }
  }

  @Override
  public void release(Handle.Context context, Handle.Stream stream) {
    drain((Stream) stream);
    count(HandleKind.STREAM, -1);
  }

  @Override
  public Handle.Event createEvent(Handle.Context context, boolean timing) {
    asked("createEvent", timing ? "timed" : "");
    return new Event(made(HandleKind.EVENT));
  }

  @Override
  public void record(Handle.Context context, Handle.Event event, Handle.Stream stream) {
    asked("record", "");
    notWhileCapturing(stream, "cuEventRecord");
    Event point = (Event) event;
    point.done = false;
    point.stream = (Stream) stream;
    submit(
        stream,
        () -> {
          point.nanos = System.nanoTime();
          point.done = true;
        });
  }

  @Override
  public boolean isDone(Handle.Context context, Handle.Event event) {
    asked("isDone", "");
    return ((Event) event).done;
  }

  @Override
  public void await(Handle.Context context, Handle.Event event) {
    asked("await", "");
    reach((Event) event);
    requireAlive("cuEventSynchronize");
  }

  @Override
  public float millisBetween(Handle.Context context, Handle.Event first, Handle.Event second) {
    asked("millisBetween", "");
    return (((Event) second).nanos - ((Event) first).nanos) / 1e6f;
  }

  @Override
  public void release(Handle.Context context, Handle.Event event) {
    count(HandleKind.EVENT, -1);
  }

  @Override
  public Handle.Module loadModule(Handle.Context context, byte[] image) {
    images.add(image.clone());
    asked("loadModule", Integer.toString(image.length));
    return new Module(made(HandleKind.MODULE));
  }

  @Override
  public void unload(Handle.Context context, Handle.Module module) {
    calls.add("unload");
    count(HandleKind.MODULE, -1);
  }

  @Override
  public Handle.Function function(Handle.Context context, Handle.Module module, String name) {
    asked("function", name);
    if (missing.contains(name)) {
      throw CudaStatusException.of("cuModuleGetFunction", NOT_FOUND, "");
    }
    return new Function(nextHandle++, name);
  }

  @Override
  public FunctionReport report(Handle.Context context, Handle.Function function) {
    return functionReport;
  }

  @Override
  public void allowDynamicShared(Handle.Context context, Handle.Function function, int byteSize) {
    asked("allowDynamicShared", Integer.toString(byteSize));
  }

  @Override
  public void launch(Handle.Context context, Handle.Stream stream, Launch launch) {
    String name = ((Function) launch.function()).name();
    asked("launch", name + " " + launch.grid() + " " + launch.block());
    // Read before the call returns: the buffer is used again.
    byte[] packed = new byte[launch.arguments().remaining()];
    launch.arguments().duplicate().get(packed);
    launches.add(launch);
    arguments.add(packed);
    BiConsumer<SparseMemory, ByteBuffer> kernel = kernels.getOrDefault(name, (_, _) -> {});
    submit(
        stream,
        () -> kernel.accept(memory, ByteBuffer.wrap(packed).order(ByteOrder.nativeOrder())));
  }

  @Override
  public void beginCapture(Handle.Context context, Handle.Stream stream) {
    asked("beginCapture", "");
    ((Stream) stream).captured = new ArrayList<>();
  }

  @Override
  public Handle.Graph endCapture(Handle.Context context, Handle.Stream stream) {
    List<Runnable> work = ((Stream) stream).captured;
    ((Stream) stream).captured = null;
    asked("endCapture", "");
    if (work == null) {
      throw new AssertionError("nothing is captured");
    }
    return new Graph(made(HandleKind.GRAPH), work);
  }

  @Override
  public void launch(Handle.Context context, Handle.Graph graph, Handle.Stream stream) {
    asked("launchGraph", "");
    ((Graph) graph).work().forEach(work -> submit(stream, work));
  }

  @Override
  public void release(Handle.Context context, Handle.Graph graph) {
    count(HandleKind.GRAPH, -1);
  }

  @Override
  public synchronized Map<HandleKind, Long> liveHandles() {
    Map<HandleKind, Long> left = new EnumMap<>(live);
    left.values().removeIf(value -> value == 0);
    return left;
  }
}
