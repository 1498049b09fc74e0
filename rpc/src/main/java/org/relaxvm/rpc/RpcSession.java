package org.relaxvm.rpc;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.DeviceTypeCodes;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.TypeKeys;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.rpc.client.Calls;
import org.relaxvm.rpc.client.Connecting;
import org.relaxvm.rpc.tracker.TrackerClient;
import org.relaxvm.rpc.transport.Link;
import org.relaxvm.rpc.wire.ObjectHandle;
import org.relaxvm.rpc.wire.OpaquePointer;
import org.relaxvm.rpc.wire.PacketCode;
import org.relaxvm.rpc.wire.TensorView;
import org.relaxvm.rpc.wire.TypeIndex;
import org.relaxvm.rpc.wire.WireDevice;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A session on an RPC server: functions, files, modules and tensors there. Servers are those of
 * RelaxVM and of Apache TVM 0.22 and newer.
 *
 * <pre>{@code
 * try (RpcSession session = RpcSession.connect("192.168.0.7:9090")) {
 *   session.upload("model.rvm", Path.of("model.rvm"));
 *   try (RemoteModule module = session.loadModule("model.rvm");
 *       RemoteVm vm = module.vm(DeviceId.CPU)) { ... }
 * }
 * }</pre>
 *
 * <p>To run a program whose virtual machine is here and whose kernels are there, name the device of
 * the server instead: {@code VirtualMachine.builder(program).device("rpc://192.168.0.7:9090/cpu:0")}.
 *
 * <p><b>Ownership.</b> Closing the session ends everything that it holds on the server. <b>Threads.</b>
 * Thread-safe; requests are made one after another. An interrupt of a thread that waits for an
 * answer closes the session, since the protocol has no other way to end a call.
 *
 * <p>Source: docs/spec/rpc-protocol.md.
 */
public final class RpcSession implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RpcSession.class);
  private static final int REQUEST_ATTEMPTS = 5;
  static final String TIME_EVALUATOR = "runtime.RPCTimeEvaluator";
  private static final String PACKET_SIZE_FUNCTION = "tvm.rpc.server.GetCRTMaxPacketSize";

  private final Calls calls;
  private final String serverKey;
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
   * @param wait for a free server
   * @return the session, which the caller closes
   * @throws RpcTimeoutException when no server is free in time
   * @throws RpcConnectException when the tracker or the servers that it gives cannot be reached
   */
  public static RpcSession request(
      Endpoint tracker, RpcOptions options, int priority, Duration wait) {
    try (TrackerClient client = TrackerClient.connect(tracker, options.connectTimeout())) {
      for (int attempt = 1; ; attempt++) {
        TrackerClient.ServerAddress server =
            client.request(options.key(), "", priority, wait);
        try {
          return connect(server.endpoint(), options.withKey(server.matchKey()));
        } catch (RpcConnectException | RpcTimeoutException e) {
          // A server that died may still be in the queue.
          if (attempt == REQUEST_ATTEMPTS) {
            throw e;
          }
          LOG.info("the server {} that the tracker gave is gone", server.endpoint(), e);
        }
      }
    }
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
    long handle = calls.globalFunction(name);
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

  @Nullable Object call(long function, @Nullable Object... args) {
    @Nullable Object[] sent = new Object[args.length];
    for (int i = 0; i < args.length; i++) {
      sent[i] = argument(i, args[i]);
    }
    return result(calls.call(function, sent));
  }

  private @Nullable Object argument(int index, @Nullable Object value) {
    return switch (value) {
      case null -> null;
      case Boolean bool -> bool;
      case Double number -> number;
      case Float number -> (double) number;
      case Number number -> number.longValue();
      case String text -> text(index, text);
      case byte[] bytes -> bytes;
      case DType dtype -> dtype;
      case DeviceId device -> wireDevice(device);
      case ObjectHandle handle -> handle;
      case RemoteTensor tensor -> own(index, tensor.session()) ? tensor.wire() : null;
      case RemoteFunction function ->
          throw refused(index, function, "a function: the protocol has no call-backs");
      case RemoteModule module ->
          own(index, module.session()) ? Calls.module(module.handle()) : null;
      case RemoteObject object ->
          own(index, object.session())
              ? new ObjectHandle(TypeIndex.REMOTE_OBJECT, object.handle())
              : null;
      case Tensor tensor ->
          throw refused(index, tensor, "a local tensor: upload it with session.upload(tensor)");
      default ->
          throw refused(index, value, TypeKeys.describe(value) + ": only the server can make one");
    };
  }

  private static String text(int index, String text) {
    if (text.indexOf('\0') >= 0) {
      throw new CallException(
          ErrorKind.VALUE,
          "argument #" + index + " contains a zero character, which ends text in the protocol");
    }
    return text;
  }

  private boolean own(int index, RpcSession session) {
    if (session != this) {
      throw new CallException(
          ErrorKind.VALUE,
          "argument #" + index + " belongs to " + session + ", but the call is made in " + this);
    }
    return true;
  }

  private static CallException refused(int index, Object value, String why) {
    return new CallException(
        ErrorKind.TYPE,
        "argument #"
            + index
            + " cannot be sent: it is "
            + why
            + "\n  expected: numbers, booleans, strings, bytes, data types, devices, and what the"
            + " session gave out");
  }

  /** The values of an answer as one value. */
  private @Nullable Object result(@Nullable Object[] values) {
    if (values.length < 2 || !(values[0] instanceof Long type)) {
      throw malformed(values);
    }
    Object first = values[1];
    return switch (type.intValue()) {
      case TypeIndex.NONE -> null;
      case TypeIndex.FUNCTION -> new RemoteFunction(this, handle(values, 1), "");
      case TypeIndex.MODULE -> new RemoteModule(this, handle(values, 1));
      case TypeIndex.TENSOR, TypeIndex.TENSOR_VIEW -> tensor(values);
      case TypeIndex.SMALL_STRING,
          TypeIndex.SMALL_BYTES_OBJECT,
          TypeIndex.STRING,
          TypeIndex.BYTES ->
          first;
      default -> {
        if (type == TypeIndex.MAP && first instanceof TensorView) {
          throw new RpcProtocolException(
              peer() + " is TVM 0.21: its tensors have another type\n  expected: 0.22 or newer");
        }
        if (first instanceof WireDevice device) {
          yield deviceId(device);
        }
        yield type >= TypeIndex.FIRST_OBJECT
            ? new RemoteObject(this, handle(values, 1), type.intValue())
            : first;
      }
    };
  }

  private long handle(@Nullable Object[] values, int index) {
    if (index < values.length && values[index] instanceof OpaquePointer pointer) {
      return pointer.value();
    }
    throw malformed(values);
  }

  private RemoteTensor tensor(@Nullable Object[] values) {
    if (!(values[1] instanceof TensorView view)) {
      throw malformed(values);
    }
    if (values.length < 3) {
      throw new RpcProtocolException(
          peer()
              + " gave a view of a tensor that it does not keep: functions of Apache TVM's server"
              + " cannot return their own argument");
    }
    long object = handle(values, 2);
    return new RemoteTensor(
        this, view, new RemoteTensor.Memory(this, object, calls::free));
  }

  private RpcProtocolException malformed(@Nullable Object[] values) {
    return new RpcProtocolException(
        peer() + " sent an answer of " + values.length + " values that is no result of a call");
  }

  // ---------------------------------------------------------------- devices and tensors

  static WireDevice wireDevice(DeviceId device) {
    return new WireDevice(device.typeCode(), device.ordinal());
  }

  static DeviceId deviceId(WireDevice device) {
    return new DeviceId(DeviceTypeCodes.kindOf(device.type()).orElse("ext_dev"), device.id());
  }

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
    return calls.system(PacketCode.DEV_GET_ATTR, wireDevice(device), (long) kind);
  }

  /** Waits until the work of a device of the server is done. */
  public void synchronize(DeviceId device) {
    calls.synchronize(wireDevice(device));
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
    WireDevice target = wireDevice(device);
    long data = calls.allocate(new TensorView(0, target, dtype, shape, 0), scope);
    Calls freed = calls;
    return new RemoteTensor(
        this,
        new TensorView(data, target, dtype, shape, 0),
        new RemoteTensor.Memory(this, data, memory -> freed.freeMemory(target, memory)));
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

  void send(TensorView target, MemorySegment source) {
    inBlocks(target, source, calls::copyTo);
  }

  void receive(TensorView source, MemorySegment target) {
    inBlocks(source, target, calls::copyFrom);
  }

  void copyWithin(TensorView source, TensorView target) {
    calls.system(PacketCode.COPY_AMONG_REMOTE, source, target, OpaquePointer.NULL);
  }

  /** A copy of one block. */
  private interface BlockCopy {
    void copy(TensorView remote, MemorySegment local);
  }

  /** Small servers bound their packets, and are asked before each copy, since others say nothing. */
  private void inBlocks(TensorView remote, MemorySegment local, BlockCopy copy) {
    long size = local.byteSize();
    long limit = packetLimit();
    long header = 8 + 4 + 8 + 8 + 4 + 4 + 8L * remote.shape().rank() + 8 + 8;
    long block = limit == 0 ? Math.max(1, size) : Math.max(1, limit - header);
    for (long at = 0; at < size; at += block) {
      TensorView part =
          new TensorView(
              remote.data(),
              remote.device(),
              remote.dtype(),
              remote.shape(),
              remote.byteOffset() + at);
      copy.copy(part, local.asSlice(at, Math.min(block, size - at)));
    }
    calls.synchronize(remote.device());
  }

  private long packetLimit() {
    Optional<RemoteFunction> function = function(PACKET_SIZE_FUNCTION);
    if (function.isEmpty()) {
      return 0;
    }
    try (RemoteFunction size = function.get()) {
      return size.call() instanceof Long bytes ? Math.max(0, bytes) : 0;
    }
  }

  // ---------------------------------------------------------------- files and modules

  /** Functions of the server that this class uses are looked up once. */
  private @Nullable Object callNamed(String name, @Nullable Object... args) {
    return used(name).call(args);
  }

  private RemoteFunction used(String name) {
    synchronized (used) {
      RemoteFunction function = used.get(name);
      if (function == null) {
        function = requireFunction(name);
        used.put(name, function);
      }
      return function;
    }
  }

  /** Writes a file in the session's folder on the server. */
  public void upload(String name, byte[] content) {
    callNamed("tvm.rpc.server.upload", name, content);
  }

  /**
   * Writes a file in the session's folder on the server.
   *
   * @throws RpcException an {@code IOError} when the local file cannot be read
   */
  public void upload(String name, Path file) {
    byte[] content;
    try {
      content = Files.readAllBytes(file);
    } catch (IOException e) {
      throw new RpcException(ErrorKind.IO, "cannot read " + file + ": " + e.getMessage(), e);
    }
    upload(name, content);
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

  /** Ends the session; closing again does nothing. */
  @Override
  public void close() {
    synchronized (used) {
      try {
        used.values().forEach(RemoteFunction::close);
      } catch (RelaxException e) {
        // The other side is gone, or frees them itself.
        LOG.debug("{} did not take its functions back", peer(), e);
      }
      used.clear();
    }
    calls.conversation().close();
  }

  @Override
  public String toString() {
    return "the session with " + peer();
  }
}
