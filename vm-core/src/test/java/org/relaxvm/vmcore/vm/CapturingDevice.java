package org.relaxvm.vmcore.vm;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.CapturedWork;
import org.relaxvm.api.spi.CapturingStream;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.DeviceProperties;
import org.relaxvm.api.spi.Event;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.Stream;

/**
 * A device whose streams do nothing before somebody waits, and record work. A block that was freed
 * holds rubbish, and work that touches one fails. Its library has {@code relaxvm.twice(in, out)}
 * and {@code relaxvm.plus(a, b, out)} for float32.
 */
final class CapturingDevice extends Device {
  final AtomicInteger blocks = new AtomicInteger();
  final AtomicInteger streams = new AtomicInteger();
  final AtomicInteger launches = new AtomicInteger();
  final AtomicInteger allocationsWhileRecording = new AtomicInteger();
  final AtomicInteger recordings = new AtomicInteger();
  volatile boolean lost;

  private final ReentrantLock lock = new ReentrantLock();
  private final AtomicInteger recording = new AtomicInteger();

  CapturingDevice(int ordinal) {
    super(new DeviceId("graph", ordinal));
  }

  @Override
  public DeviceProperties properties() {
    return new DeviceProperties("test device", 0, 64, Long.MAX_VALUE, Map.of());
  }

  @Override
  public Module library() {
    PackedFunc twice = (args, _) -> launch(args, values -> values[0] + values[0], args.tensorAt(1));
    PackedFunc plus = (args, _) -> launch(args, values -> values[0] + values[1], args.tensorAt(2));
    return Module.of("library of " + id(), Map.of("relaxvm.twice", twice, "relaxvm.plus", plus));
  }

  private interface Element {
    float of(float[] values);
  }

  private void launch(CallArgs args, Element element, Tensor out) {
    launches.incrementAndGet();
    VmContext vm = args.context();
    QueuedStream stream = (QueuedStream) vm.stream(vm.indexOf(this));
    List<Block> inputs = new ArrayList<>();
    for (int i = 0; i < args.count() - 1; i++) {
      inputs.add((Block) args.tensorAt(i).storage().memory());
    }
    Block target = (Block) out.storage().memory();
    int count = (int) out.elementCount();
    stream.submit(
        () -> {
          float[] values = new float[inputs.size()];
          for (int i = 0; i < count; i++) {
            for (int k = 0; k < values.length; k++) {
              values[k] = inputs.get(k).content().getAtIndex(ValueLayout.JAVA_FLOAT, i);
            }
            target.content().setAtIndex(ValueLayout.JAVA_FLOAT, i, element.of(values));
          }
        });
  }

  private static final class Block implements DeviceMemory {
    final MemorySegment bytes;
    boolean freed;

    Block(long byteSize) {
      bytes = MemorySegment.ofArray(new int[(int) (byteSize + 3) / 4]).asSlice(0, byteSize);
    }

    MemorySegment content() {
      if (freed) {
        throw new IllegalStateException("work uses a block that was freed");
      }
      return bytes;
    }

    @Override
    public long byteSize() {
      return bytes.byteSize();
    }
  }

  @Override
  protected DeviceMemory doAllocate(long byteSize, long alignment, String scope) {
    if (recording.get() > 0) {
      allocationsWhileRecording.incrementAndGet();
    }
    blocks.incrementAndGet();
    return new Block(byteSize);
  }

  @Override
  protected void doFree(DeviceMemory memory) {
    Block block = (Block) memory;
    block.freed = true;
    block.bytes.fill((byte) 0x7f);
    blocks.decrementAndGet();
  }

  @Override
  protected void doCopyIn(MemorySegment source, DeviceMemory target, long offset, Stream stream) {
    byte[] staged = source.toArray(ValueLayout.JAVA_BYTE);
    ((QueuedStream) stream).refuseToRecord("a copy from the host");
    ((QueuedStream) stream)
        .submit(
            () ->
                MemorySegment.copy(
                    MemorySegment.ofArray(staged),
                    0,
                    ((Block) target).content(),
                    offset,
                    staged.length));
  }

  @Override
  protected void doCopyOut(DeviceMemory source, long offset, MemorySegment target, Stream stream) {
    ((QueuedStream) stream).refuseToRecord("a copy to the host");
    ((QueuedStream) stream)
        .submit(
            () ->
                MemorySegment.copy(
                    ((Block) source).content(), offset, target, 0, target.byteSize()));
  }

  @Override
  protected void doCopyWithin(
      DeviceMemory source,
      long sourceOffset,
      DeviceMemory target,
      long targetOffset,
      long byteSize,
      Stream stream) {
    ((QueuedStream) stream)
        .submit(
            () ->
                MemorySegment.copy(
                    ((Block) source).content(),
                    sourceOffset,
                    ((Block) target).content(),
                    targetOffset,
                    byteSize));
  }

  @Override
  public Stream openStream() {
    streams.incrementAndGet();
    return new QueuedStream();
  }

  @Override
  public void close() {}

  private final class QueuedStream implements CapturingStream {
    private final ArrayDeque<Runnable> queue = new ArrayDeque<>();
    private @Nullable List<Runnable> recorded;
    private @Nullable String refused;
    private boolean closed;

    void submit(Runnable work) {
      lock.lock();
      try {
        if (recorded != null) {
          recorded.add(work);
        } else {
          queue.add(work);
        }
      } finally {
        lock.unlock();
      }
    }

    void refuseToRecord(String what) {
      if (recorded != null) {
        refused = what;
        throw new BackendException(
            ErrorKind.VALUE, "a stream of " + id() + " that records cannot do " + what);
      }
    }

    @Override
    public Device device() {
      return CapturingDevice.this;
    }

    @Override
    public void beginCapture() {
      recording.incrementAndGet();
      recorded = new ArrayList<>();
      refused = null;
    }

    @Override
    public CapturedWork endCapture() {
      List<Runnable> work = recorded;
      recorded = null;
      if (work == null || refused != null) {
        recording.addAndGet(work == null ? 0 : -1);
        throw new BackendException(ErrorKind.VALUE, "the recording is of no use: " + refused);
      }
      recording.decrementAndGet();
      recordings.incrementAndGet();
      return new Recorded(work);
    }

    @Override
    public void synchronize() {
      refuseToRecord("a wait for its work");
      lock.lock();
      try {
        if (lost) {
          queue.clear();
          throw new BackendException(ErrorKind.RUNTIME, "device " + id() + " is lost");
        }
        while (!queue.isEmpty()) {
          queue.remove().run();
        }
      } finally {
        lock.unlock();
      }
    }

    @Override
    public Event record() {
      refuseToRecord("an event");
      return new Point(this);
    }

    @Override
    public void waitFor(Event event) {
      refuseToRecord("a wait for another stream");
      submit(event::await);
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        recorded = null;
        streams.decrementAndGet();
        synchronize();
      }
    }
  }

  private record Point(QueuedStream stream) implements Event {
    @Override
    public boolean isComplete() {
      return stream.queue.isEmpty();
    }

    @Override
    public void await() {
      stream.synchronize();
    }

    @Override
    public void close() {}
  }

  private final class Recorded implements CapturedWork {
    private final List<Runnable> work;
    private boolean closed;

    Recorded(List<Runnable> work) {
      this.work = work;
    }

    @Override
    public int size() {
      return work.size();
    }

    @Override
    public void submit(Stream stream) {
      work.forEach(((QueuedStream) stream)::submit);
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        recordings.decrementAndGet();
      }
    }
  }
}
