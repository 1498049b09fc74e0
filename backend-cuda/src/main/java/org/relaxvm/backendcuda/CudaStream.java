package org.relaxvm.backendcuda;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.CapturedWork;
import org.relaxvm.api.spi.CapturingStream;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Event;
import org.relaxvm.backendcuda.context.Blocks;
import org.relaxvm.backendcuda.context.DeviceContext;
import org.relaxvm.backendcuda.context.RecentKernels;
import org.relaxvm.backendcuda.context.Working;
import org.relaxvm.backendcuda.cublas.Addresses;
import org.relaxvm.backendcuda.cublas.CublasWorkers;
import org.relaxvm.backendcuda.cublas.Multiplication;
import org.relaxvm.backendcuda.driver.Cuda;
import org.relaxvm.backendcuda.driver.CudaStatusException;
import org.relaxvm.backendcuda.driver.Handle;
import org.relaxvm.backendcuda.driver.Launch;
import org.relaxvm.backendcuda.program.CudaKernel;
import org.relaxvm.backendcuda.program.LaunchShape;
import org.relaxvm.backendsupport.gpu.device.GpuStream;
import org.relaxvm.backendsupport.gpu.foreign.KernelArgument;
import org.relaxvm.backendsupport.gpu.foreign.KernelArgument.Memory;
import org.relaxvm.backendsupport.gpu.vendorgemm.Gemm;
import org.relaxvm.backendsupport.gpu.vendorgemm.GemmMemory;
import org.relaxvm.backendsupport.staging.HostCopies;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One stream, which does not wait for those of other libraries.
 *
 * <p><b>Copies.</b> Copies to the host wait until they are done. Small copies from the host are put
 * into pinned memory and do not wait; others go as {@link HostCopies} says.
 *
 * <p>Used by one thread at a time, but for {@link #record()} and {@link #finish()}.
 */
final class CudaStream implements GpuStream<CudaMemory>, CapturingStream, Working {
  private final Logger log = LoggerFactory.getLogger(CudaStream.class);
  private final CudaDevice device;
  private final DeviceContext context;
  private final Cuda cuda;
  private final Handle.Context holder;
  private final HostCopies copies;
  private final StagingRings rings;
  private final CublasWorkers workers;
  private final @Nullable DeviceTimes times;
  private final ArgumentBuffer arguments = new ArgumentBuffer();
  private final RecentKernels kernels = new RecentKernels();
  private volatile Handle.@Nullable Stream handle;
  private volatile @Nullable Recording recording;
  private @Nullable StagingRing ring;
  private CublasWorkers.@Nullable Worker worker;

  private CudaStream(
      CudaDevice device,
      DeviceContext context,
      StagingRings rings,
      CublasWorkers workers,
      @Nullable DeviceTimes times) {
    this.device = device;
    this.context = context;
    this.cuda = context.cuda();
    this.holder = context.handle();
    this.copies = HostCopies.of(context.id());
    this.rings = rings;
    this.workers = workers;
    this.times = times;
    try {
      handle = cuda.createStream(holder);
    } catch (CudaStatusException e) {
      throw context.failure(e, "make a stream");
    }
  }

  /**
   * Opens a stream.
   *
   * @param times is told what the stream does and when; null when nobody asks
   */
  static CudaStream open(
      CudaDevice device,
      DeviceContext context,
      StagingRings rings,
      CublasWorkers workers,
      @Nullable DeviceTimes times) {
    CudaStream opened = new CudaStream(device, context, rings, workers, times);
    context.add(opened);
    if (times != null) {
      try {
        opened.observe(times, opened.live());
      } catch (RuntimeException e) {
        opened.releaseHandles();
        throw e;
      }
    }
    return opened;
  }

  private void observe(DeviceTimes observer, Handle.Stream live) {
    try {
      observer.idle(holder, live);
    } catch (CudaStatusException e) {
      throw context.workFailure(e, "tell the time");
    }
  }

  @Override
  public Device device() {
    return device;
  }

  @Override
  public RecentKernels kernels() {
    return kernels;
  }

  private Handle.Stream live() {
    context.requireUsable();
    Handle.Stream live = handle;
    if (live == null) {
      throw GpuStream.closed(context.id());
    }
    return live;
  }

  /** Enqueues work, while the device cannot be closed. */
  private void submit(Command command, Consumer<? super Handle.Stream> work) {
    context.run(() -> enqueue(command, work));
  }

  private void enqueue(Command command, Consumer<? super Handle.Stream> work) {
    Handle.Stream live = live();
    Recording open = recording;
    if (open != null) {
      open.add(command);
    }
    try {
      if (times != null && open == null) {
        submitTimed(times, command, live, work);
      } else {
        work.accept(live);
      }
    } catch (CudaStatusException e) {
      throw context.failure(e, command.toString());
    }
  }

  private void submitTimed(
      DeviceTimes observer,
      Command command,
      Handle.Stream live,
      Consumer<? super Handle.Stream> work) {
    long submitted = System.nanoTime();
    Handle.Event start = observer.mark(holder, live);
    Handle.Event end;
    try {
      work.accept(live);
      end = observer.mark(holder, live);
    } catch (RuntimeException e) {
      cuda.release(holder, start);
      throw e;
    }
    observer.submitted(command, submitted, holder, start, end);
  }

  @Override
  public void write(MemorySegment source, CudaMemory target, long offset) {
    copies.in(
        source,
        new HostCopies.Incoming() {
          /** To wait for a stream costs more than a copy that is small. */
          @Override
          public boolean isIdle() {
            return false;
          }

          @Override
          public void copy(long at, MemorySegment chunk) {
            submit(
                Command.copy(Command.Kind.COPY_IN, chunk.byteSize()),
                to -> {
                  cuda.copyIn(holder, chunk, target.address() + offset + at, to);
                  cuda.synchronize(holder, to);
                });
          }

          @Override
          public void copyLater(long at, MemorySegment chunk) {
            submit(
                Command.copy(Command.Kind.COPY_IN, chunk.byteSize()),
                to -> {
                  MemorySegment staged = ring().reserve(chunk.byteSize(), to);
                  staged.copyFrom(chunk);
                  cuda.copyIn(holder, staged, target.address() + offset + at, to);
                });
          }
        });
  }

  private StagingRing ring() {
    StagingRing own = ring;
    if (own == null) {
      own = rings.take();
      ring = own;
    }
    return own;
  }

  @Override
  public void read(CudaMemory source, long offset, MemorySegment target) {
    copies.out(
        target,
        (at, chunk) ->
            submit(
                Command.copy(Command.Kind.COPY_OUT, chunk.byteSize()),
                from -> {
                  cuda.copyOut(holder, source.address() + offset + at, chunk, from);
                  cuda.synchronize(holder, from);
                  kernels.clear();
                }));
  }

  @Override
  public void copy(
      CudaMemory source, long sourceOffset, CudaMemory target, long offset, long byteSize) {
    submit(
        Command.copy(Command.Kind.COPY_WITHIN, byteSize),
        to ->
            cuda.copyWithin(
                holder, source.address() + sourceOffset, target.address() + offset, byteSize, to));
  }

  /** Copies from another device, once its stream has come here; that stream waits for the copy. */
  void copyFrom(
      CudaMemory source,
      long sourceOffset,
      CudaStream sourceStream,
      CudaMemory target,
      long offset,
      long byteSize) {
    Command command = Command.copy(Command.Kind.COPY_PEER, byteSize);
    sourceStream.refuseToRecord(command.toString());
    waitForPoint(sourceStream);
    submit(
        command,
        to ->
            cuda.copyPeer(
                sourceStream.holder,
                source.address() + sourceOffset,
                holder,
                target.address() + offset,
                byteSize,
                to));
    sourceStream.waitForPoint(this);
  }

  private void waitForPoint(CudaStream other) {
    refuseToRecord("wait for another device");
    other.context.run(() -> context.run(() -> enqueueWait(other)));
  }

  private void enqueueWait(CudaStream other) {
    Handle.Stream live = live();
    Handle.Stream otherLive = other.live();
    try {
      Handle.Event point = cuda.createEvent(other.holder, false);
      try {
        cuda.record(other.holder, point, otherLive);
        cuda.waitFor(holder, live, point);
      } finally {
        // It is kept as long as the stream waits for it.
        cuda.release(other.holder, point);
      }
    } catch (CudaStatusException e) {
      throw context.failure(e, "wait for another device");
    }
  }

  /**
   * Launches a kernel; it runs after what the stream was given before.
   *
   * @param function what it is part of, for messages and profiles
   * @param values one for each parameter: blocks of this device, numbers and tensor maps
   * @throws BackendException when the device has not what the launch needs
   */
  void launch(CudaKernel kernel, String function, List<KernelArgument> values, LaunchShape shape) {
    context.run(() -> launchOpen(kernel, function, values, shape));
  }

  private void launchOpen(
      CudaKernel kernel, String function, List<KernelArgument> values, LaunchShape shape) {
    Handle.Function loaded = kernel.forLaunch(shape);
    Launch launch =
        new Launch(
            loaded,
            shape.grid(),
            shape.block(),
            shape.cluster(),
            shape.preferredCluster(),
            shape.sharedBytes(),
            shape.overlapsPrevious(),
            shape.cooperative(),
            packed(kernel, values));
    enqueue(Command.kernel(function, shape), to -> cuda.launch(holder, to, launch));
    kernels.add(function);
  }

  /**
   * Multiplies matrices by a library; it takes place after what the stream was given before.
   *
   * @param function what it is part of, for messages and profiles
   * @return whether it will; otherwise the library turned out to have nothing for the GEMM
   */
  boolean multiply(String function, Gemm gemm, GemmMemory memory) {
    return context.use(() -> multiplyOpen(function, gemm, memory));
  }

  private boolean multiplyOpen(String function, Gemm gemm, GemmMemory memory) {
    live();
    CublasWorkers.Worker own = worker();
    Memory bias = memory.bias();
    Addresses at =
        new Addresses(
            address(memory.a()),
            address(memory.b()),
            bias == null ? 0 : address(bias),
            address(memory.out()));
    Optional<Multiplication> prepared = own.prepare(gemm, at);
    if (prepared.isEmpty()) {
      return false;
    }
    Recording open = recording;
    Blocks.Block workspace = open == null ? own.ownWorkspace() : open.workspace(workers::workspace);
    submit(
        Command.gemm(function),
        to -> {
          cuda.makeCurrent(holder);
          prepared.get().enqueue(to.address(), workspace.address());
        });
    kernels.add(function);
    return true;
  }

  private CublasWorkers.Worker worker() {
    CublasWorkers.Worker own = worker;
    if (own == null) {
      own = workers.take();
      worker = own;
    }
    return own;
  }

  private long address(Memory memory) {
    return device.own(Objects.requireNonNull(memory.block())).address() + memory.byteOffset();
  }

  private ByteBuffer packed(CudaKernel kernel, List<KernelArgument> values) {
    arguments.clear();
    // No iterator: this runs at every launch.
    for (int i = 0; i < values.size(); i++) {
      switch (values.get(i)) {
        case KernelArgument.Scalar(int byteSize, long bits) -> arguments.add(byteSize, bits);
        case KernelArgument.Memory(var block, long offset) ->
            arguments.add(
                Long.BYTES, block == null ? 0 : address(kernel, i, device.own(block), offset));
        case KernelArgument.TensorMap(byte[] bytes) -> arguments.add(bytes);
      }
    }
    return arguments.packed();
  }

  private long address(CudaKernel kernel, int index, CudaMemory block, long offset) {
    if (offset < 0 || offset > block.byteSize()) {
      throw new BackendException(
          ErrorKind.INDEX,
          context.id()
              + " cannot give argument #"
              + index
              + " of the kernel "
              + kernel
              + " a tensor that starts at byte "
              + offset
              + " of a block of "
              + block.byteSize());
    }
    return block.address() + offset;
  }

  @Override
  public void synchronize() {
    context.run(
        () -> {
          refuseToRecord("wait for its work");
          Handle.Stream live = handle;
          if (live != null) {
            await(live);
          }
        });
  }

  private void await(Handle.Stream live) {
    try {
      cuda.synchronize(holder, live);
      kernels.clear();
      if (times != null) {
        times.idle(holder, live);
      }
    } catch (CudaStatusException e) {
      throw context.workFailure(e, "finish the work of a stream");
    }
  }

  @Override
  public synchronized void finish() {
    Handle.Stream live = handle;
    if (live != null && recording == null && !context.isLost()) {
      try {
        cuda.synchronize(holder, live);
      } catch (CudaStatusException e) {
        log.debug("the work of a stream of {} did not end well", context.id(), e);
      }
    }
  }

  @Override
  public synchronized Event record() {
    if (handle == null || context.isLost()) {
      // Nothing that was submitted will run any more.
      return new CudaEvent(device, context, holder, null);
    }
    refuseToRecord("mark a point");
    return context.make(this::mark);
  }

  private CudaEvent mark() {
    Handle.Stream live = handle;
    if (live == null) {
      return new CudaEvent(device, context, holder, null);
    }
    try {
      Handle.Event made = cuda.createEvent(holder, false);
      try {
        cuda.record(holder, made, live);
      } catch (CudaStatusException e) {
        cuda.release(holder, made);
        throw e;
      }
      return new CudaEvent(device, context, holder, made);
    } catch (CudaStatusException e) {
      throw context.failure(e, "mark a point in a stream");
    }
  }

  @Override
  public void waitFor(Event event) {
    context.requireUsable();
    if (!(event instanceof CudaEvent own) || !own.device().equals(device)) {
      throw GpuStream.foreignEvent(
          context.id(), event, event instanceof CudaEvent other ? other.device() : null);
    }
    refuseToRecord("wait for another stream");
    Handle.Stream live = live();
    own.use(
        point -> {
          try {
            cuda.waitFor(holder, live, point);
          } catch (CudaStatusException e) {
            throw context.failure(e, "wait for another stream");
          }
        });
  }

  private void refuseToRecord(String what) {
    Recording open = recording;
    if (open != null) {
      throw open.spoil(what);
    }
  }

  @Override
  public void beginCapture() {
    context.run(this::begin);
  }

  private void begin() {
    Handle.Stream live = live();
    Recording open = recording;
    if (open != null) {
      throw open.spoil("begin another recording");
    }
    try {
      cuda.beginCapture(holder, live);
    } catch (CudaStatusException e) {
      throw context.failure(e, "record work");
    }
    recording = new Recording(context.id());
  }

  @Override
  public CapturedWork endCapture() {
    return context.make(this::end);
  }

  private CudaRecording end() {
    Handle.Stream live = live();
    Recording ended = recording;
    if (ended == null) {
      throw new BackendException(
          ErrorKind.VALUE, "a stream of " + context.id() + " records nothing that could be ended");
    }
    Handle.Graph graph = null;
    boolean made = false;
    try {
      graph = cuda.endCapture(holder, live);
      ended.requireWhole();
      CudaRecording whole = new CudaRecording(device, context, holder, graph, ended);
      graph = null;
      made = true;
      return whole;
    } catch (CudaStatusException e) {
      ended.requireWhole();
      throw context.failure(e, "record work");
    } finally {
      recording = null;
      if (graph != null) {
        cuda.release(holder, graph);
      }
      if (!made) {
        ended.giveBack();
      }
    }
  }

  /** Does what was recorded. */
  void submit(CudaRecording recorded, Handle.Graph graph) {
    submit(Command.RECORDING, to -> cuda.launch(holder, graph, to));
    recorded.kernels().forEach(kernels::add);
  }

  /** A stream that is closed while it records would record until the process ends. */
  private void abandonRecording(Handle.Stream live) {
    Recording open = recording;
    if (open != null) {
      recording = null;
      try {
        cuda.release(holder, cuda.endCapture(holder, live));
      } catch (CudaStatusException e) {
        log.debug("a recording of {} was not ended", context.id(), e);
      }
      open.giveBack();
    }
  }

  @Override
  public void close() {
    try {
      context.runIfOpen(
          () -> {
            Handle.Stream live = handle;
            if (live != null && !context.isLost()) {
              abandonRecording(live);
              await(live);
            }
          });
    } finally {
      releaseHandles();
      context.disown(this);
    }
  }

  /** Also called when the device is closed: what was submitted ends before its memory goes. */
  @Override
  public synchronized void releaseHandles() {
    Handle.Stream live = handle;
    if (live != null) {
      abandonRecording(live);
      finish();
      handle = null;
      context.remove(this);
      StagingRing own = ring;
      ring = null;
      if (own != null) {
        rings.giveBack(own);
      }
      CublasWorkers.Worker multiplier = worker;
      worker = null;
      if (multiplier != null) {
        workers.giveBack(multiplier);
      }
      cuda.release(holder, live);
    }
  }
}
