package org.relaxvm.backendsupport.gpu.device;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.BackendOptions;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceProperties;
import org.relaxvm.api.spi.Event;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.backendsupport.gpu.module.GpuDriver;

/** A GPU whose memory is the host's and which runs no kernels. */
final class HostGpu extends GpuDevice<HostGpu.Block, HostGpu.Queue> {
  static final long MAX_BLOCK = 1 << 20;

  final Lifetime lifetime;

  HostGpu(int ordinal) {
    this(new Lifetime(new DeviceId("hostgpu", ordinal)));
  }

  private HostGpu(Lifetime lifetime) {
    super(
        lifetime,
        new DeviceProperties("host memory", 4 * MAX_BLOCK, 64, MAX_BLOCK, Map.of()),
        Block.class,
        Queue.class,
        Set.of("host-image"),
        1);
    this.lifetime = lifetime;
  }

  /** Tells what is released, and fails as a driver does. */
  static final class Lifetime extends DeviceLifetime {
    final LiveHandles<Handle> live = new LiveHandles<>(Handle.class);
    final AtomicInteger released = new AtomicInteger();

    Lifetime(DeviceId id) {
      super(id, BackendOptions.none());
    }

    BackendException refuse(String what) {
      return refused(new IllegalStateException("code -5"), what, COMPARE_WITH_LIMITS);
    }

    RuntimeException noMemory(String what, long byteSize) {
      return outOfMemory(new IllegalStateException("code -4"), what, byteSize);
    }

    BackendException lose() {
      return lostBy(new IllegalStateException("code -36"), () -> "code -36" + MAKE_ANOTHER_MACHINE);
    }

    @Override
    protected void releaseDevice() {
      released.incrementAndGet();
    }
  }

  enum Handle {
    BLOCK,
    QUEUE,
    EVENT
  }

  static final class Block extends GpuMemory {
    private final Lifetime lifetime;
    private final MemorySegment bytes;

    Block(Lifetime lifetime, long byteSize) {
      super(lifetime, byteSize);
      this.lifetime = lifetime;
      this.bytes = Arena.ofAuto().allocate(byteSize);
      lifetime.live.made(Handle.BLOCK);
    }

    MemorySegment bytes() {
      requireLive();
      return bytes;
    }

    @Override
    protected void release() {
      lifetime.live.released(Handle.BLOCK);
    }
  }

  static final class Queue implements GpuStream<Block> {
    private final HostGpu gpu;
    private boolean released;

    Queue(HostGpu gpu) {
      this.gpu = gpu;
      gpu.lifetime.live.made(Handle.QUEUE);
    }

    @Override
    public void write(MemorySegment source, Block target, long offset) {
      MemorySegment.copy(source, 0, target.bytes(), offset, source.byteSize());
    }

    @Override
    public void read(Block source, long offset, MemorySegment target) {
      MemorySegment.copy(source.bytes(), offset, target, 0, target.byteSize());
    }

    @Override
    public void copy(
        Block source, long sourceOffset, Block target, long targetOffset, long byteSize) {
      MemorySegment.copy(source.bytes(), sourceOffset, target.bytes(), targetOffset, byteSize);
    }

    @Override
    public Device device() {
      return gpu;
    }

    @Override
    public void synchronize() {
      gpu.lifetime.requireUsable();
    }

    @Override
    public HostEvent record() {
      return gpu.lifetime.make(() -> new HostEvent(gpu, new AtomicInteger()));
    }

    @Override
    public void waitFor(Event event) {
      event.await();
    }

    @Override
    public void releaseHandles() {
      if (!released) {
        released = true;
        gpu.lifetime.live.released(Handle.QUEUE);
      }
    }

    @Override
    public void close() {
      releaseHandles();
      gpu.lifetime.disown(this);
    }
  }

  /** An event that counts how often it was waited for; done after the first time. */
  static final class HostEvent extends GpuEvent<AtomicInteger> {
    private final Lifetime lifetime;

    HostEvent(HostGpu gpu, AtomicInteger waits) {
      super(gpu, gpu.lifetime, waits);
      this.lifetime = gpu.lifetime;
      lifetime.live.made(Handle.EVENT);
    }

    @Override
    protected boolean isDone(AtomicInteger live) {
      return live.get() > 0;
    }

    @Override
    protected void await(AtomicInteger live) {
      live.incrementAndGet();
    }

    @Override
    protected void release(AtomicInteger live) {
      lifetime.live.released(Handle.EVENT);
    }
  }

  @Override
  protected GpuDriver driver() {
    throw new BackendException(ErrorKind.RUNTIME, this + " runs no kernels");
  }

  @Override
  protected Module loadForeign(ModuleImage image) {
    return Module.empty(image.format());
  }

  @Override
  protected Queue makeStream() {
    return new Queue(this);
  }

  @Override
  protected Block makeMemory(long byteSize, long alignment, String demand) {
    return new Block(lifetime, byteSize);
  }
}
