package org.relaxvm.rpc.connection;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.PackedFunc;

/**
 * How a server runs. Immutable: each method gives a changed copy.
 *
 * <p>A server without TLS listens on the loopback address only, unless {@link #insecure}: whoever
 * can connect can run programs.
 *
 * @param endpoint where to listen; port 0 takes any free port
 * @param key which clients must name; empty for none
 * @param token which clients must know; empty for none
 * @param tls certificates of both sides; null for connections without TLS
 * @param insecure whether to listen on other addresses than loopback without TLS
 * @param nativeCode what is done with native code of clients
 * @param allowHops whether clients may have the server connect to further servers for them
 * @param devices names of the devices that sessions see; the host is always among them
 * @param functions further functions that clients find by name
 * @param testFunctions whether to offer {@code rpc.test.*}, {@code rpc.testing.*} and {@code
 *     golden.*}, with which other clients can be tried
 * @param tracker to which the server offers itself under its key; null for none
 * @param proxy through which clients come, too; null for none
 * @param limits bounds on sessions
 */
public record ServerOptions(
    Endpoint endpoint,
    String key,
    String token,
    @Nullable SSLContext tls,
    boolean insecure,
    NativeCode nativeCode,
    boolean allowHops,
    List<String> devices,
    Map<String, PackedFunc> functions,
    boolean testFunctions,
    @Nullable Endpoint tracker,
    @Nullable Endpoint proxy,
    Limits limits) {
  /**
   * Bounds on sessions.
   *
   * @param connections sessions at once; further clients wait
   * @param memoryBytes memory that a session may hold of each device, and as much in memory scopes
   * @param uploadBytes files of a session together
   * @param valueBytes the largest text or byte string in a call
   * @param handles that a session may hold at once
   * @param sessionTime after which a session ends; {@link Duration#ZERO} for no bound. A client may
   *     ask for less
   * @param helloTime in which a client must say who it is
   */
  public record Limits(
      int connections,
      long memoryBytes,
      long uploadBytes,
      long valueBytes,
      int handles,
      Duration sessionTime,
      Duration helloTime) {
    /** 256 sessions; 1 GiB of memory and of files each, without a limit of time. */
    public static final Limits DEFAULT =
        new Limits(
            256, 1L << 30, 1L << 30, 1L << 30, 1 << 20, Duration.ZERO, Duration.ofSeconds(10));

    /** With another number of sessions. */
    public Limits withConnections(int count) {
      return new Limits(
          count, memoryBytes, uploadBytes, valueBytes, handles, sessionTime, helloTime);
    }

    /** With another bound on memory, in bytes. */
    public Limits withMemoryBytes(long bytes) {
      return new Limits(
          connections, bytes, uploadBytes, valueBytes, handles, sessionTime, helloTime);
    }

    /** With another bound on files and values, in bytes. */
    public Limits withUploadBytes(long bytes) {
      return new Limits(connections, memoryBytes, bytes, bytes, handles, sessionTime, helloTime);
    }

    /** With another bound on handles. */
    public Limits withHandles(int count) {
      return new Limits(
          connections, memoryBytes, uploadBytes, valueBytes, count, sessionTime, helloTime);
    }

    /** With a bound on the time of a session. */
    public Limits withSessionTime(Duration time) {
      return new Limits(
          connections, memoryBytes, uploadBytes, valueBytes, handles, time, helloTime);
    }

    /** With another bound on the time until a client has said who it is. */
    public Limits withHelloTime(Duration time) {
      return new Limits(
          connections, memoryBytes, uploadBytes, valueBytes, handles, sessionTime, time);
    }
  }

  /** Any free port of the loopback address, the host as the only device. */
  public static final ServerOptions DEFAULT =
      new ServerOptions(
          new Endpoint("127.0.0.1", 0),
          "",
          "",
          null,
          false,
          NativeCode.REFUSE,
          false,
          List.of(),
          Map.of(),
          false,
          null,
          null,
          Limits.DEFAULT);

  /** Copies the collections. */
  public ServerOptions {
    devices = List.copyOf(devices);
    functions = Map.copyOf(functions);
  }

  /** The parts of changed options. */
  private static final class Parts {
    private Endpoint endpoint;
    private String key;
    private String token;
    private @Nullable SSLContext tls;
    private boolean insecure;
    private NativeCode nativeCode;
    private boolean allowHops;
    private List<String> devices;
    private Map<String, PackedFunc> functions;
    private boolean testFunctions;
    private @Nullable Endpoint tracker;
    private @Nullable Endpoint proxy;
    private Limits limits;

    Parts(ServerOptions from) {
      endpoint = from.endpoint;
      key = from.key;
      token = from.token;
      tls = from.tls;
      insecure = from.insecure;
      nativeCode = from.nativeCode;
      allowHops = from.allowHops;
      devices = from.devices;
      functions = from.functions;
      testFunctions = from.testFunctions;
      tracker = from.tracker;
      proxy = from.proxy;
      limits = from.limits;
    }

    ServerOptions together() {
      return new ServerOptions(
          endpoint,
          key,
          token,
          tls,
          insecure,
          nativeCode,
          allowHops,
          devices,
          functions,
          testFunctions,
          tracker,
          proxy,
          limits);
    }
  }

  private ServerOptions with(Consumer<Parts> change) {
    Parts parts = new Parts(this);
    change.accept(parts);
    return parts.together();
  }

  /** With another address. */
  public ServerOptions withEndpoint(Endpoint newEndpoint) {
    return with(parts -> parts.endpoint = newEndpoint);
  }

  /** With a key. */
  public ServerOptions withKey(String newKey) {
    return with(parts -> parts.key = newKey);
  }

  /** With a token. */
  public ServerOptions withToken(String newToken) {
    return with(parts -> parts.token = newToken);
  }

  /** With TLS. */
  public ServerOptions withTls(@Nullable SSLContext certificates) {
    return with(parts -> parts.tls = certificates);
  }

  /** With or without leave to listen on other addresses than loopback without TLS. */
  public ServerOptions withInsecure(boolean allowed) {
    return with(parts -> parts.insecure = allowed);
  }

  /** With another treatment of native code. */
  public ServerOptions withNativeCode(NativeCode treatment) {
    return with(parts -> parts.nativeCode = treatment);
  }

  /** With or without connections to further servers, which clients ask for. */
  public ServerOptions withAllowHops(boolean allowed) {
    return with(parts -> parts.allowHops = allowed);
  }

  /** With devices, such as {@code opencl:0}. */
  public ServerOptions withDevices(List<String> names) {
    return with(parts -> parts.devices = names);
  }

  /** With further functions. */
  public ServerOptions withFunctions(Map<String, PackedFunc> further) {
    return with(parts -> parts.functions = further);
  }

  /** With or without the functions with which other clients can be tried. */
  public ServerOptions withTestFunctions(boolean offered) {
    return with(parts -> parts.testFunctions = offered);
  }

  /** With a tracker, under the key. */
  public ServerOptions withTracker(@Nullable Endpoint address) {
    return with(parts -> parts.tracker = address);
  }

  /** With a proxy, under the key. */
  public ServerOptions withProxy(@Nullable Endpoint address) {
    return with(parts -> parts.proxy = address);
  }

  /** With other bounds. */
  public ServerOptions withLimits(Limits bounds) {
    return with(parts -> parts.limits = bounds);
  }

  /** Without the token, which must not get into logs. */
  @Override
  public String toString() {
    return "server on "
        + endpoint
        + (key.isEmpty() ? "" : ", key " + key)
        + (token.isEmpty() ? "" : ", with a token")
        + (tls == null ? "" : ", with TLS")
        + ", devices "
        + devices;
  }
}
