package org.relaxvm.rpc.server;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Storage;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.FirstFailure;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.rpc.transport.Link;
import org.relaxvm.rpc.wire.PacketCode;
import org.relaxvm.rpc.wire.PacketInput;
import org.relaxvm.rpc.wire.PacketOutput;
import org.relaxvm.rpc.wire.TensorView;
import org.relaxvm.rpc.wire.TypeIndex;
import org.relaxvm.rpc.wire.ValueReader;
import org.relaxvm.rpc.wire.ValueWriter;
import org.relaxvm.rpc.wire.WireException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The conversation with one client after the handshake: a request, its answer, and so on. Every
 * packet that can be read is answered; an error leaves the session as it was.
 *
 * <p>One thread runs the session; {@link #expire} and {@link #stop} are called by others.
 *
 * <p>Source: docs/spec/rpc-protocol.md, sections 2 to 6.
 */
public final class ServerSession {
  private static final Logger LOG = LoggerFactory.getLogger(ServerSession.class);
  static final String PROTOCOL_VERSION = "0.8.0";
  private static final int CHUNK_BYTES = 1 << 20;

  private final Link link;
  private final PacketInput in;
  private final PacketOutput out;
  private final ValueReader reader;
  private final ValueWriter writer;
  private final SessionDevices devices;
  private final HandleTable handles;
  private final SessionValues values;
  private final SystemCalls systemCalls;
  private final SessionSettings settings;
  private final AutoCloseable resources;

  /** Held while an answer is written, so that the one of {@link #expire} is not mixed with it. */
  private final ReentrantLock writing = new ReentrantLock();

  private volatile @Nullable Thread thread;
  private boolean initialized;
  private boolean ended;

  /**
   * A session after its handshake.
   *
   * @param in reads packets of the link
   * @param devices what the session sees; closed with it
   * @param functions finds functions by their global names
   * @param modules makes modules of programs that functions give
   * @param resources closed at the end, after everything that clients hold
   */
  ServerSession(
      Link link,
      PacketInput in,
      PacketOutput out,
      SessionDevices devices,
      HandleTable handles,
      Function<String, Optional<PackedFunc>> functions,
      SessionModules modules,
      AutoCloseable resources) {
    this.link = link;
    this.in = in;
    this.out = out;
    this.reader = new ValueReader(in);
    this.writer = new ValueWriter(out);
    this.devices = devices;
    this.handles = handles;
    this.values = new SessionValues(handles, devices, modules::module);
    this.systemCalls = new SystemCalls(handles, devices, values, functions);
    this.settings = modules.settings();
    this.resources = resources;
  }

  /** Serves until the client leaves, the session is ended, or the connection fails. */
  void run() {
    thread = Thread.currentThread();
    try {
      while (!ended && in.next()) {
        answer();
      }
    } catch (WireException e) {
      // The length of a packet cannot be right: what follows cannot be read.
      LOG.debug("session of {} ended: {}", link.peer(), e.getMessage());
      giveUp();
    } catch (IOException e) {
      LOG.debug("session of {} ended: {}", link.peer(), e.getMessage());
    } finally {
      thread = null;
      Thread.interrupted();
      close();
    }
  }

  /** Tells the client that the session is over, as the original does. */
  private void giveUp() {
    writing.lock();
    try {
      out.begin(PacketCode.SHUTDOWN);
      out.end();
    } catch (IOException e) {
      LOG.debug("{} was gone already", link.peer());
    } finally {
      writing.unlock();
    }
  }

  private void close() {
    Throwable failure = null;
    for (AutoCloseable part :
        new AutoCloseable[] {this::drain, handles::close, resources, devices, link}) {
      try {
        part.close();
      } catch (Exception e) {
        failure = FirstFailure.of(failure, e);
      }
    }
    if (failure != null) {
      LOG.warn("the end of the session of {} left something behind", link.peer(), failure);
    }
  }

  private void drain() {
    devices.synchronize();
  }

  /**
   * Ends the session because its time is over: the client is told, whether it waits for an answer
   * or not. The call that runs is interrupted.
   *
   * @param text what the client is told
   */
  void expire(String text) {
    if (writing.tryLock()) {
      try {
        out.begin(PacketCode.EXCEPTION);
        out.end(writer.writeResults(text));
      } catch (IOException e) {
        LOG.debug("{} was gone already", link.peer());
      } finally {
        stop();
        writing.unlock();
      }
    } else {
      stop();
    }
  }

  /** Ends the session: closes the connection and interrupts the call that runs. */
  void stop() {
    link.close();
    Thread running = thread;
    if (running != null) {
      running.interrupt();
    }
  }

  // ---------------------------------------------------------------- requests

  private void answer() throws IOException {
    PacketCode code = PacketCode.of(in.code()).orElse(PacketCode.NONE);
    try {
      switch (code) {
        case SHUTDOWN -> ended = true;
        case INIT_SERVER -> initialize();
        case CALL_FUNC -> call();
        case COPY_FROM_REMOTE -> copyFrom();
        case COPY_TO_REMOTE -> copyTo();
        case NONE, RETURN, EXCEPTION, COPY_ACK ->
            throw new WireException(
                "a packet with the code " + in.code() + ", which is no request");
        default -> {
          @Nullable Object[] args = reader.readSequence();
          requireInitialized();
          checkEra(code, args);
          respond(systemCalls.call(code, args));
        }
      }
    } catch (WireException e) {
      respondError("ValueError: malformed packet: " + e.getMessage());
    } catch (RuntimeException | Error e) {
      // Functions of the options fail in any way; the session's own memory is bounded.
      respondError(ErrorText.of(e));
    }
  }

  private void requireInitialized() {
    if (!initialized) {
      throw new CallException(
              ErrorKind.RUNTIME, "the first request of a session must be InitServer")
          .withTvmMessage("Need to call InitRemoteSession first before any further actions");
    }
  }

  /** Clients up to TVM 0.20 send the type codes first, so that text has the code 11. */
  private static void checkEra(PacketCode code, @Nullable Object[] args) {
    if (code == PacketCode.GET_GLOBAL_FUNC && args.length == 1 && args[0] instanceof byte[]) {
      throw new CallException(
          ErrorKind.VALUE,
          "the name of a function is sent as bytes\n  expected: a client of TVM 0.22 or newer");
    }
  }

  private void initialize() throws IOException {
    String version = in.readText();
    @Nullable Object[] constructor = reader.readSequence();
    if (initialized) {
      throw new CallException(ErrorKind.RUNTIME, "the session is initialized already")
          .withTvmMessage("Server has already been initialized");
    }
    if (!version.equals(PROTOCOL_VERSION)) {
      throw new CallException(
              ErrorKind.VALUE,
              "the client speaks version "
                  + version
                  + " of the protocol, this server "
                  + PROTOCOL_VERSION)
          .withTvmMessage(
              "Server[relaxvm]: Client protocol version mismatch with the server  server protocol="
                  + PROTOCOL_VERSION
                  + ", client protocol="
                  + version);
    }
    if (constructor.length > 0
        && settings.allowHops()
        && FurtherServer.CONSTRUCTOR.equals(constructor[0])) {
      continueElsewhere(constructor);
      return;
    }
    if (constructor.length > 0) {
      construct(constructor);
    }
    initialized = true;
    respond((Object) null);
  }

  private void continueElsewhere(@Nullable Object[] constructor) throws IOException {
    FurtherServer server = FurtherServer.connect(constructor, settings.connectTime());
    try {
      respond((Object) null);
      ended = true;
      server.serve(link, in);
    } finally {
      server.close();
    }
  }

  /** The only session that a client can ask for is one in this process. */
  private void construct(@Nullable Object[] constructor) {
    String name = String.valueOf(constructor[0]);
    if (name.equals("rpc.LocalSession")) {
      return;
    }
    Optional<PackedFunc> function = devices.findFunction(name);
    if (function.isEmpty()) {
      throw new CallException(
              ErrorKind.VALUE,
              "there is no session constructor '" + name + "'; this server has rpc.LocalSession")
          .withTvmMessage("Cannot find session constructor " + name);
    }
    CallResult result = new CallResult();
    @Nullable Object[] args = new Object[constructor.length - 1];
    System.arraycopy(constructor, 1, args, 0, args.length);
    try {
      function.get().call(CallArgs.of(devices, args), result);
    } catch (RelaxException e) {
      throw new CallException(
          e.kind(),
          "Server[relaxvm]: Error caught from session constructor "
              + name
              + ":\n"
              + e.tvmMessage().orElse(e.getMessage()));
    }
    result.setNull();
    throw new CallException(
        ErrorKind.TYPE, "Server[relaxvm]: Constructor " + name + " need to return an RPCModule");
  }

  private void call() throws IOException {
    requireInitialized();
    long handle = in.readLong();
    if (!(handles.object(handle) instanceof PackedFunc function)) {
      throw new CallException(
          ErrorKind.TYPE, "0x" + Long.toHexString(handle) + " is no handle of a function");
    }
    if (function instanceof UploadFunction upload) {
      upload.receive(in, reader);
      respond(TypeIndex.NONE, null);
      return;
    }
    CallResult result = new CallResult();
    try (SessionValues.Arguments args = values.arguments(reader.readSequence())) {
      try {
        function.call(CallArgs.of(devices, args.values()), result);
      } catch (RuntimeException | Error e) {
        result.setNull();
        throw e;
      } finally {
        // An interrupt that came too late for the call must not reach the next one.
        Thread.interrupted();
      }
      respond(values.result(result));
    }
  }

  // ---------------------------------------------------------------- copies

  private Storage copied(TensorView tensor, long bytes) {
    Storage storage = values.memory(tensor);
    long size = storage.byteSize();
    if (bytes < 0 || tensor.byteOffset() < 0 || bytes > size - tensor.byteOffset()) {
      throw new CallException(
              ErrorKind.INDEX,
              "a copy of "
                  + Long.toUnsignedString(bytes)
                  + " bytes at offset "
                  + tensor.byteOffset()
                  + " does not fit memory of "
                  + size
                  + " bytes")
          .withTvmMessage(
              "CopyToRemote: overflow in tensor size: (byte_offset="
                  + tensor.byteOffset()
                  + ", nbytes="
                  + bytes
                  + ", tensor_total_size="
                  + size
                  + ")");
    }
    return storage;
  }

  /** Elements go from the socket into host memory, or by way of one chunk to a device. */
  private void copyTo() throws IOException {
    TensorView tensor = reader.readTensor();
    long bytes = in.readLong();
    requireInitialized();
    Storage storage = copied(tensor, bytes);
    if (bytes > in.remaining()) {
      throw new WireException(
          "a copy of " + bytes + " bytes in a packet with " + in.remaining() + " left");
    }
    Device device = storage.device();
    if (device.isHost()) {
      in.readInto(HostDevice.segmentOf(storage.memory()).asSlice(tensor.byteOffset(), bytes));
    } else {
      Stream stream = devices.stream(devices.indexOf(device));
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment chunk = arena.allocate(Math.clamp(bytes, 1, CHUNK_BYTES));
        for (long at = 0; at < bytes; at += CHUNK_BYTES) {
          MemorySegment part = chunk.asSlice(0, Math.min(CHUNK_BYTES, bytes - at));
          in.readInto(part);
          device.copyIn(part, storage.memory(), tensor.byteOffset() + at, stream);
        }
      }
    }
    respond((Object) null);
  }

  private void copyFrom() throws IOException {
    TensorView tensor = reader.readTensor();
    long bytes = in.readLong();
    requireInitialized();
    Storage storage = copied(tensor, bytes);
    Device device = storage.device();
    if (device.isHost()) {
      acknowledge(HostDevice.segmentOf(storage.memory()).asSlice(tensor.byteOffset(), bytes));
      return;
    }
    Stream stream = devices.stream(devices.indexOf(device));
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment copy = HostDevice.allocateNative(arena, bytes, HostDevice.ALIGNMENT);
      device.copyOut(storage.memory(), tensor.byteOffset(), copy, stream);
      stream.synchronize();
      acknowledge(copy);
    }
  }

  // ---------------------------------------------------------------- answers

  private void acknowledge(MemorySegment content) throws IOException {
    writing.lock();
    try {
      out.begin(PacketCode.COPY_ACK);
      out.end(content);
    } finally {
      writing.unlock();
    }
  }

  private void respond(@Nullable Object... results) throws IOException {
    writing.lock();
    try {
      out.begin(PacketCode.RETURN);
      out.end(writer.writeResults(results));
    } finally {
      writing.unlock();
    }
  }

  private void respondError(String text) throws IOException {
    in.skipRest();
    writing.lock();
    try {
      out.begin(PacketCode.EXCEPTION);
      out.end(writer.writeResults(text));
    } finally {
      writing.unlock();
    }
  }
}
