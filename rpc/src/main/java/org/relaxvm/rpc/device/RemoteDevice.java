package org.relaxvm.rpc.device;

import java.lang.foreign.MemorySegment;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Storage;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.DeviceOutOfMemoryException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.DeviceProperties;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.api.spi.ModuleLoader;
import org.relaxvm.api.spi.SharedConstants;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.rpc.client.Calls;
import org.relaxvm.rpc.client.Conversation;
import org.relaxvm.rpc.error.RemoteCallException;
import org.relaxvm.rpc.error.RpcDisconnectedException;
import org.relaxvm.rpc.error.RpcException;
import org.relaxvm.rpc.wire.OpaquePointer;
import org.relaxvm.rpc.wire.PacketCode;
import org.relaxvm.rpc.wire.TensorView;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A device of a server. Copies to it, kernel calls and releases of memory are sent without a wait
 * for their answers; errors of that work are raised when its stream is synchronized.
 *
 * <p>Thread-safe. Rationale: docs/rationale/rpc.md, "Why does the virtual machine run here and not
 * on the server?"
 */
final class RemoteDevice extends Device implements ModuleLoader, SharedConstants {
  private static final Logger LOG = LoggerFactory.getLogger(RemoteDevice.class);

  private final Calls calls;
  private final RemoteDescription description;
  private final RemoteModules modules;
  private final Module library;
  private final RemoteConstants constants = new RemoteConstants(this);
  private volatile boolean closed;

  RemoteDevice(DeviceId id, Calls calls, RemoteDescription description) {
    super(id);
    this.calls = calls;
    this.description = description;
    this.modules = new RemoteModules(this, calls, description);
    this.library = modules.library();
  }

  RemoteDescription description() {
    return description;
  }

  Conversation conversation() {
    return calls.conversation();
  }

  @Override
  public DeviceProperties properties() {
    return description.properties();
  }

  @Override
  public Module library() {
    return library;
  }

  @Override
  public Set<String> formats() {
    return description.formats();
  }

  @Override
  public Module loadModule(ModuleImage image) {
    if (!formats().contains(image.format())) {
      throw new BackendException(
          ErrorKind.VALUE,
          "device "
              + id()
              + " takes no kernels of format '"
              + image.format()
              + "'; it takes "
              + formats());
    }
    return open(() -> modules.load(image));
  }

  void requireOpen() {
    if (closed) {
      throw closed(null);
    }
  }

  private BackendException closed(@Nullable RpcDisconnectedException cause) {
    return new BackendException(
        ErrorKind.VALUE, "device " + id() + " is closed: it cannot be used any more", cause);
  }

  /** Makes requests; where the device is closed meanwhile, that is what is said. */
  <T extends @Nullable Object> T open(Supplier<T> requests) {
    requireOpen();
    try {
      return requests.get();
    } catch (RpcDisconnectedException e) {
      throw closed ? closed(e) : e;
    }
  }

  /** Calls a kernel on a stream, without a wait. */
  void launch(Object stream, long function, @Nullable Object[] values) {
    open(
        () -> {
          conversation()
              .submit(
                  stream,
                  PacketCode.CALL_FUNC,
                  (out, writer) -> {
                    out.putLong(function);
                    writer.writeArguments(values);
                  },
                  MemorySegment.NULL);
          return true;
        });
  }

  // ---------------------------------------------------------------- memory

  /** Bytes of a block as the protocol names them. */
  TensorView bytes(DeviceMemory memory, long offset, long byteSize) {
    return new TensorView(
        handle(memory), description.device(), DType.UINT8, Shape.of(byteSize), offset);
  }

  long handle(DeviceMemory memory) {
    if (memory instanceof RemoteMemory remote && remote.device().equals(this)) {
      return remote.data();
    }
    throw new BackendException(
        ErrorKind.TYPE, "expected memory of " + id() + ", but got " + memory);
  }

  @Override
  public Storage constant(Tensor constant, long alignment, String scope) {
    return constants.storage(constant, alignment, scope);
  }

  /** Copies host bytes to a block, and waits until they are there. */
  void copyNow(MemorySegment source, DeviceMemory target) {
    if (source.byteSize() > 0) {
      try {
        TensorView view = bytes(target, 0, source.byteSize());
        open(
            () -> {
              calls.copyTo(view, source);
              return true;
            });
      } catch (RemoteCallException e) {
        throw new BackendException(e.kind(), e.summary(), e);
      }
    }
  }

  @Override
  protected DeviceMemory doAllocate(long byteSize, long alignment, String scope) {
    try {
      return take(byteSize, alignment, scope);
    } catch (DeviceOutOfMemoryException e) {
      if (!constants.freeUnused()) {
        throw e;
      }
      return take(byteSize, alignment, scope);
    }
  }

  private RemoteMemory take(long byteSize, long alignment, String scope) {
    try {
      Object answer = open(() -> allocated(byteSize, alignment, scope));
      long data = answer instanceof OpaquePointer pointer ? pointer.value() : 0;
      return new RemoteMemory(this, data, byteSize);
    } catch (RemoteCallException e) {
      if (e.kind() == ErrorKind.MEMORY) {
        throw new DeviceOutOfMemoryException(byteSize, e.summary(), e);
      }
      throw new BackendException(e.kind(), e.summary(), e);
    }
  }

  private @Nullable Object allocated(long byteSize, long alignment, String scope) {
    return scope.isEmpty() || scope.equals("global")
        ? calls.system(
            PacketCode.DEV_ALLOC_DATA, description.device(), byteSize, alignment, DType.UINT8)
        : calls.system(
            PacketCode.DEV_ALLOC_DATA_WITH_SCOPE,
            new TensorView(0, description.device(), DType.UINT8, Shape.of(byteSize), 0),
            scope);
  }

  @Override
  protected void doFree(DeviceMemory memory) {
    long data = handle(memory);
    try {
      calls.submit(PacketCode.DEV_FREE_DATA, description.device(), new OpaquePointer(data));
    } catch (RpcException e) {
      // The server freed it with the session.
      LOG.debug("the session of {} ended before memory was freed", id(), e);
    }
  }

  @Override
  protected void doCopyIn(MemorySegment source, DeviceMemory target, long offset, Stream stream) {
    TensorView view = bytes(target, offset, source.byteSize());
    open(
        () -> {
          conversation()
              .submit(
                  stream,
                  PacketCode.COPY_TO_REMOTE,
                  (out, values) -> {
                    values.writeTensor(view);
                    out.putLong(source.byteSize());
                  },
                  source);
          return true;
        });
  }

  @Override
  protected void doCopyOut(DeviceMemory source, long offset, MemorySegment target, Stream stream) {
    TensorView view = bytes(source, offset, target.byteSize());
    open(
        () -> {
          calls.copyFrom(view, target);
          return true;
        });
  }

  @Override
  protected void doCopyWithin(
      DeviceMemory source,
      long sourceOffset,
      DeviceMemory target,
      long targetOffset,
      long byteSize,
      Stream stream) {
    TensorView from = bytes(source, sourceOffset, byteSize);
    TensorView to = bytes(target, targetOffset, byteSize);
    open(
        () -> {
          conversation()
              .submit(
                  stream,
                  PacketCode.COPY_AMONG_REMOTE,
                  (_, values) -> values.writeArguments(from, to, OpaquePointer.NULL),
                  MemorySegment.NULL);
          return true;
        });
  }

  // ---------------------------------------------------------------- order

  @Override
  public Stream openStream() {
    requireOpen();
    return new RemoteStream(this);
  }

  /** Waits for all work of the device, and raises the first error of a stream's work. */
  void finish(RemoteStream stream) {
    open(
        () -> {
          submitFinish(stream);
          conversation().drain(stream);
          return true;
        });
  }

  /** Waits for all work of the device; an error is left to who synchronizes the stream. */
  void await(RemoteStream stream) {
    if (!closed && conversation().isOpen()) {
      try {
        submitFinish(stream);
        conversation().drain(Conversation.NOBODY);
      } catch (RpcException e) {
        // Whoever uses the device next is told.
        LOG.debug("waiting for {} failed", id(), e);
      }
    }
  }

  private void submitFinish(RemoteStream stream) {
    conversation()
        .submit(
            stream,
            PacketCode.DEV_STREAM_SYNC,
            (_, values) -> values.writeArguments(description.device(), OpaquePointer.NULL),
            MemorySegment.NULL);
  }

  @Override
  public void close() {
    closed = true;
  }
}
