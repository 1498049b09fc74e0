package org.relaxvm.rpc;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.rpc.client.Calls;
import org.relaxvm.rpc.client.Connecting;
import org.relaxvm.rpc.connection.Endpoint;
import org.relaxvm.rpc.connection.RpcOptions;
import org.relaxvm.rpc.error.RemoteCallException;
import org.relaxvm.rpc.error.RpcConnectException;
import org.relaxvm.rpc.error.RpcException;
import org.relaxvm.rpc.error.RpcProtocolException;
import org.relaxvm.rpc.error.RpcTimeoutException;
import org.relaxvm.rpc.tracker.TrackerClient;
import org.relaxvm.rpc.transport.Link;
import org.relaxvm.rpc.wire.OpaquePointer;
import org.relaxvm.rpc.wire.PacketCode;
import org.relaxvm.rpc.wire.TensorView;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session on an RPC server: functions, files, modules and tensors there. Servers are those of
 * RelaxVM and of Apache TVM 0.22 and newer.
 *
 * <pre>{@code
 * try (RpcSession session = RpcSession.connect("192.168.0.7:9091")) {
 *   session.upload("model.rvm", Path.of("model.rvm"));
 *   try (RemoteModule module = session.loadModule("model.rvm");
 *       RemoteVm vm = module.vm(DeviceId.CPU)) { ... }
 * }
 * }</pre>
 *
 * <p>To run a program whose virtual machine is here and whose kernels are there, name the device of
 * the server instead: {@code
 * VirtualMachine.builder(program).device("rpc://192.168.0.7:9091/cpu:0")}.
 *
 * <p><b>Ownership.</b> Closing the session ends everything that it holds on the server.
 * <b>Threads.</b> Thread-safe; requests are made one after another. An interrupt of a thread that
 * waits for an answer closes the session, since the protocol has no other way to end a call.
 *
 * <p>Source: docs/spec/rpc-protocol.md.
 */
public final class RpcSession implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RpcSession.class);
  private static final int REQUEST_ATTEMPTS = 5;
  static final String TIME_EVALUATOR = "runtime.RPCTimeEvaluator";

  private final Calls calls;
  private final String serverKey;
  private final SessionValues values = new SessionValues(this);
  private final TensorCopies copies = new TensorCopies(this);
  private final ObjectTransfer objects = new ObjectTransfer(this::used);
  private final Map<String, RemoteFunction> used = new LinkedHashMap<>();

  private RpcSession(Connecting.Connected connected) {
    this.calls = connected.calls();
    this.serverKey = connected.serverKey();
  }

  // ---------------------------------------------------------------- connecting

  /**
   * Connects to a server without a key.
   *
   * @param address {@code host:port}
   * @throws RpcException as {@link #connect(Endpoint, RpcOptions, Object...)}
   */
  public static RpcSession connect(String address) {
    return connect(Endpoint.parse(address), RpcOptions.DEFAULT);
  }

  /**
   * Connects to a server.
   *
   * @param constructor which session the server makes: none for one in its own process, or the name
   *     of a session constructor and its arguments, such as {@code "rpc.Connect", host, port, key,
   *     false} for a session on a further server
   * @return the session, which the caller closes
   * @throws RpcConnectException when there is no server, or it refuses the key or the token
   * @throws RpcTimeoutException when it does not answer in time
   * @throws RpcProtocolException when it speaks another protocol
   * @throws RemoteCallException when it refuses to make the session
   */
  public static RpcSession connect(
      Endpoint endpoint, RpcOptions options, @Nullable Object... constructor) {
    return new RpcSession(Connecting.connect(endpoint, options, constructor));
  }

  /**
   * Asks a tracker for a server of a key, and connects to it.
   *
   * @param options with the key that servers offer themselves under
   * @param priority among the clients of that key; the highest is served first
   * @param wait for a free server, all attempts together
   * @return the session, which the caller closes
   * @throws RpcTimeoutException when no server is free in time
   * @throws RpcConnectException when the tracker or the servers that it gives cannot be reached
   */
  public static RpcSession request(
      Endpoint tracker, RpcOptions options, int priority, Duration wait) {
    try (TrackerClient client = TrackerClient.connect(tracker, options.connectTimeout())) {
      long end = System.nanoTime() + wait.toNanos();
      for (int attempt = 1; ; attempt++) {
        Duration left = attempt == 1 ? wait : Duration.ofNanos(end - System.nanoTime());
        TrackerClient.ServerAddress server = client.request(options.key(), "", priority, left);
        try {
          return connect(server.endpoint(), options.withKey(server.matchKey()));
        } catch (RpcConnectException | RpcTimeoutException e) {
          // A server that died may still be in the queue.
          if (attempt == REQUEST_ATTEMPTS || System.nanoTime() - end >= 0) {
            throw e;
          }
          LOG.info("the server {} that the tracker gave is gone", server.endpoint(), e);
        }
      }
    }
  }

  /**
   * Connects to a server.
   *
   * @param address {@code host:port}
   * @param constructor as for {@link #connect(Endpoint, RpcOptions, Object...)}
   * @throws RpcException as {@link #connect(Endpoint, RpcOptions, Object...)}
   */
  public static RpcSession connect(
      String address, RpcOptions options, @Nullable Object... constructor) {
    return connect(Endpoint.parse(address), options, constructor);
  }

  /** A session over a connection, which it takes over. */
  static RpcSession over(Link link, RpcOptions options, @Nullable Object... constructor) {
    return new RpcSession(Connecting.over(link, options, constructor));
  }

  /**
   * A session with a server that speaks over a connection without a handshake, such as the pipes of
   * a program.
   *
   * @param link taken over
   */
  static RpcSession overPipe(Link link, RpcOptions options) {
    return new RpcSession(Connecting.overPipe(link, options));
  }

  // ---------------------------------------------------------------- functions

  Calls calls() {
    return calls;
  }

  /** Who is at the other end, for messages. */
  public String peer() {
    return calls.conversation().peer();
  }

  /** The key that the server gave, without {@code server:}. */
  public String serverKey() {
    return serverKey.startsWith("server:") ? serverKey.substring("server:".length()) : serverKey;
  }

  /** Whether requests can still be made. */
  public boolean isOpen() {
    return calls.conversation().isOpen();
  }

  /**
   * A function of the server by its global name.
   *
   * @return the function, which the caller closes; empty when the server has none of that name
   */
  public Optional<RemoteFunction> function(String name) {
    long handle = calls.globalFunction(SessionValues.requireText("the name of the function", name));
    return handle == 0 ? Optional.empty() : Optional.of(new RemoteFunction(this, handle, name));
  }

  /**
   * A function of the server by its global name, which the caller closes.
   *
   * @throws RpcException a {@code ValueError} when there is none
   */
  public RemoteFunction requireFunction(String name) {
    return function(name).orElseThrow(() -> noFunction(name, this));
  }

  RpcException noFunction(String name, Object where) {
    return new RpcException(
        ErrorKind.VALUE,
        where
            + " has no function '"
            + name
            + "'\n  what to do: check the name, and that the server is one that offers it");
  }

  /** Calls a function; what the arguments name on the server stays there until the answer. */
  @Nullable Object call(RemoteFunction function, @Nullable Object... args) {
    try (ObjectTransfer.Sent sent = objects.send(args)) {
      return callWithHandles(function, sent.args());
    }
  }

  private @Nullable Object callWithHandles(RemoteFunction function, @Nullable Object[] args) {
    long handle = function.use();
    try {
      @Nullable Object[] sent = new Object[args.length];
      values.use(args, sent);
      try {
        return values.result(calls.call(handle, sent));
      } finally {
        SessionValues.endUse(args, args.length);
      }
    } finally {
      function.endUse();
    }
  }

  ObjectTransfer objects() {
    return objects;
  }

  // ---------------------------------------------------------------- devices and tensors

  /** Whether the server has a device; the host is always there. */
  public boolean hasDevice(DeviceId device) {
    return device.equals(DeviceId.CPU) || Long.valueOf(1).equals(attribute(device, 0));
  }

  /**
   * An attribute of a device of the server.
   *
   * @param kind its number (docs/spec/device-modules.md, section 2)
   * @return null where the device has none
   */
  public @Nullable Object attribute(DeviceId device, int kind) {
    return calls.system(PacketCode.DEV_GET_ATTR, SessionValues.wireDevice(device), (long) kind);
  }

  /** Waits until the work of a device of the server is done. */
  public void synchronize(DeviceId device) {
    calls.synchronize(SessionValues.wireDevice(device));
  }

  /** A tensor with undefined content on a device of the server; the caller closes it. */
  public RemoteTensor empty(DType dtype, Shape shape, DeviceId device) {
    return empty(dtype, shape, device, null);
  }

  /**
   * A tensor with undefined content; the caller closes it.
   *
   * @param scope the memory scope, such as {@code global}; null for ordinary memory
   */
  public RemoteTensor empty(DType dtype, Shape shape, DeviceId device, @Nullable String scope) {
    TensorView wanted = new TensorView(0, SessionValues.wireDevice(device), dtype, shape, 0);
    return RemoteTensor.allocated(this, wanted, calls.allocate(wanted, scope));
  }

  /** A copy of a host tensor on a device of the server; the caller closes it. */
  public RemoteTensor upload(Tensor tensor, DeviceId device) {
    RemoteTensor copy = empty(tensor.dtype(), tensor.shape(), device);
    boolean done = false;
    try {
      if (tensor.isContiguous() && tensor.device().isHost()) {
        copy.copyFrom(tensor);
      } else {
        try (Tensor compact = tensor.toHost()) {
          copy.copyFrom(compact);
        }
      }
      done = true;
      return copy;
    } finally {
      if (!done) {
        copy.close();
      }
    }
  }

  void copyWithin(TensorView source, TensorView target) {
    calls.system(PacketCode.COPY_AMONG_REMOTE, source, target, OpaquePointer.NULL);
  }

  TensorCopies copies() {
    return copies;
  }

  // ---------------------------------------------------------------- files and modules

  /** Functions of the server that this class uses are looked up once. */
  private @Nullable Object callNamed(String name, @Nullable Object... args) {
    return used(name).call(args);
  }

  private RemoteFunction used(String name) {
    synchronized (used) {
      RemoteFunction known = used.get(name);
      if (known != null) {
        return known;
      }
    }
    // The request is made without this lock, which closing the session takes while it has the
    // other.
    RemoteFunction found = requireFunction(name);
    synchronized (used) {
      RemoteFunction known = used.putIfAbsent(name, found);
      if (known == null) {
        return found;
      }
      found.close();
      return known;
    }
  }

  /**
   * Writes a file in the session's folder on the server.
   *
   * @param content sent from where it is, without a copy
   */
  public void upload(String name, byte[] content) {
    upload(name, MemorySegment.ofArray(content));
  }

  /**
   * Writes a file in the session's folder on the server.
   *
   * @param file mapped, and sent from there: it may be larger than the memory of this process
   * @throws RpcException an {@code IOError} when the local file cannot be read
   */
  public void upload(String name, Path file) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        Arena arena = Arena.ofConfined()) {
      upload(name, channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena));
    } catch (IOException e) {
      throw new RpcException(ErrorKind.IO, "cannot read " + file + ": " + e, e);
    }
  }

  private void upload(String name, MemorySegment content) {
    String checked = SessionValues.requireText("the name of the file", name);
    RemoteFunction function = used("tvm.rpc.server.upload");
    long handle = function.use();
    try {
      values.result(calls.callWithBytes(handle, content, checked));
    } finally {
      function.endUse();
    }
  }

  /** The content of a file of the session's folder. */
  public byte[] download(String name) {
    if (callNamed("tvm.rpc.server.download", name) instanceof byte[] content) {
      return content;
    }
    throw new RpcProtocolException(peer() + " gave no bytes for the file '" + name + "'");
  }

  /** Deletes a file of the session's folder; one that is absent is no error. */
  public void remove(String name) {
    callNamed("tvm.rpc.server.remove", name);
  }

  /** The path on the server of a file of the session's folder, whether there is one or not. */
  public String workPath(String name) {
    if (callNamed("tvm.rpc.server.workpath", name) instanceof String path) {
      return path;
    }
    throw new RpcProtocolException(peer() + " gave no path for the file '" + name + "'");
  }

  /**
   * Files of the server, where it lists any: the C++ server of Apache TVM does.
   *
   * @return paths on the server
   * @throws RpcException a {@code ValueError} when the server lists no files
   */
  public List<String> list(String folder) {
    return callNamed("tvm.rpc.server.listdir", folder) instanceof String names
        ? Arrays.stream(names.split(",")).filter(name -> !name.isEmpty()).toList()
        : List.of();
  }

  /** Loads an uploaded file: a program, or a library; the caller closes the module. */
  public RemoteModule loadModule(String name) {
    if (callNamed("tvm.rpc.server.load_module", name) instanceof RemoteModule module) {
      return module;
    }
    throw new RpcProtocolException(peer() + " gave no module for the file '" + name + "'");
  }

  /** Measures a global function on the server. */
  public RemoteTimer timer(String function, DeviceId device) {
    return new RemoteTimer(this, () -> used(TIME_EVALUATOR), null, function, device);
  }

  /**
   * Ends the session; closing again does nothing. A call that another thread makes fails, since the
   * protocol has no other way to end it.
   */
  @Override
  public void close() {
    calls.conversation().close(this::freeUsed);
  }

  private void freeUsed() {
    synchronized (used) {
      used.values().forEach(RemoteFunction::close);
      used.clear();
    }
  }

  @Override
  public String toString() {
    return "the session with " + peer();
  }
}
