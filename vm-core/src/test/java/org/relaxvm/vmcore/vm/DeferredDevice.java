package org.relaxvm.vmcore.vm;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Storage;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.memory.NaiveAllocator;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.DeviceProperties;
import org.relaxvm.api.spi.Event;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.Stream;

/**
 * A device whose streams do nothing before somebody waits; then work of all streams is done in a
 * random order that events allow. Work that uses freed memory fails. For one thread.
 */
final class DeferredDevice extends Device {
  private final NaiveAllocator host = new NaiveAllocator(HostDevice.INSTANCE);
  private final List<Queue> queues = new ArrayList<>();
  SplittableRandom random = new SplittableRandom(0);

  /** How often work used memory that was freed before. */
  int usesAfterFree;

  /** After so many waits of a stream for an event, one fails. */
  int waitsUntilFailure = Integer.MAX_VALUE;

  DeferredDevice() {
    super(new DeviceId("deferred", 0));
  }

  /** How many streams were not closed. */
  int openStreams() {
    return queues.size();
  }

  /** A kernel that does the same as a function does with tensors of the host. */
  static PackedFunc kernel(PackedFunc function) {
    return (args, result) -> {
      Queue queue = (Queue) args.context().stream(0);
      List<@Nullable Object> values = shadows(args);
      queue.submit(
          () -> function.call(CallArgs.of(values.stream().map(Shadow::open).toArray()), result()));
    };
  }

  /** A function that waits for its arguments and works on the host. */
  static PackedFunc reader(PackedFunc function) {
    return (args, result) -> {
      args.context().stream(0).synchronize();
      function.call(CallArgs.of(shadows(args).stream().map(Shadow::open).toArray()), result);
    };
  }

  private static CallResult result() {
    return new CallResult();
  }

  private static List<@Nullable Object> shadows(CallArgs args) {
    List<@Nullable Object> values = new ArrayList<>();
    for (Object value : args.toArray()) {
      values.add(
          value instanceof Tensor tensor && tensor.storage().memory() instanceof Block block
              ? new Shadow(block, tensor.byteOffset(), tensor.dtype(), tensor.shape())
              : value);
    }
    return values;
  }

  /** A tensor of the device. */
  private record Shadow(Block block, long offset, DType dtype, Shape shape) {
    static @Nullable Object open(@Nullable Object value) {
      return value instanceof Shadow shadow
          ? Tensor.view(shadow.block.live(), shadow.offset, shadow.dtype, shadow.shape)
          : value;
    }
  }

  private final class Block implements DeviceMemory {
    private final Storage storage;
    private boolean freed;

    Block(Storage storage) {
      this.storage = storage;
    }

    Storage live() {
      if (freed) {
        usesAfterFree++;
        throw new AssertionError("freed memory is used");
      }
      return storage;
    }

    @Override
    public long byteSize() {
      return storage.byteSize();
    }
  }

  private record Work(@Nullable Runnable body, @Nullable Point after) {}

  private record Point(Queue queue, long position) implements Event {
    @Override
    public boolean isComplete() {
      return queue.done >= position;
    }

    @Override
    public void await() {
      queue.device().runUntil(this);
    }

    @Override
    public void close() {}
  }

  private void runUntil(Point point) {
    while (!point.isComplete()) {
      List<Queue> able = queues.stream().filter(Queue::isAble).toList();
      able.get(random.nextInt(able.size())).runOne();
    }
  }

  private final class Queue implements Stream {
    private final Deque<Work> works = new ArrayDeque<>();
    private long submitted;
    private long done;

    void submit(Runnable body) {
      add(new Work(body, null));
    }

    private void add(Work work) {
      submitted++;
      works.add(work);
    }

    boolean isAble() {
      Work next = works.peekFirst();
      return next != null && (next.after() == null || next.after().isComplete());
    }

    void runOne() {
      Work work = works.removeFirst();
      if (work.body() != null) {
        work.body().run();
      }
      done++;
    }

    @Override
    public DeferredDevice device() {
      return DeferredDevice.this;
    }

    @Override
    public void synchronize() {
      record().await();
    }

    @Override
    public Event record() {
      return new Point(this, submitted);
    }

    @Override
    public void waitFor(Event event) {
      if (waitsUntilFailure-- == 0) {
        throw new IllegalStateException("the stream waits for nobody");
      }
      add(new Work(null, (Point) event));
    }

    @Override
    public void close() {
      synchronize();
      queues.remove(this);
    }
  }

  @Override
  public DeviceProperties properties() {
    return new DeviceProperties("test device", 0, 64, Long.MAX_VALUE, Map.of());
  }

  @Override
  public Module library() {
    return Module.of("library of " + id(), Map.of());
  }

  @Override
  public Stream openStream() {
    Queue queue = new Queue();
    queues.add(queue);
    return queue;
  }

  @Override
  protected DeviceMemory doAllocate(long byteSize, long alignment, String scope) {
    return new Block(host.allocate(byteSize, alignment, scope, HostDevice.INSTANCE.openStream()));
  }

  @Override
  protected void doFree(DeviceMemory memory) {
    Block block = (Block) memory;
    block.live().release();
    block.freed = true;
  }

  @Override
  protected void doCopyIn(MemorySegment source, DeviceMemory target, long offset, Stream stream) {
    throw new UnsupportedOperationException("programs copy nothing");
  }

  @Override
  protected void doCopyOut(DeviceMemory source, long offset, MemorySegment target, Stream stream) {
    throw new UnsupportedOperationException("programs copy nothing");
  }

  @Override
  protected void doCopyWithin(
      DeviceMemory source,
      long sourceOffset,
      DeviceMemory target,
      long targetOffset,
      long byteSize,
      Stream stream) {
    throw new UnsupportedOperationException("programs copy nothing");
  }

  @Override
  public void close() {
    host.close();
  }
}
