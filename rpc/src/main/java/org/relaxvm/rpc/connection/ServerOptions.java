package org.relaxvm.rpc.connection;

import java.time.Duration;
import java.util.List;
import java.util.Map;
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

  /** With another address. */
  public ServerOptions withEndpoint(Endpoint newEndpoint) {
    return new ServerOptions(
        newEndpoint,
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

  /** With a key. */
  public ServerOptions withKey(String newKey) {
    return new ServerOptions(
        endpoint,
        newKey,
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

  /** With a token. */
  public ServerOptions withToken(String newToken) {
    return new ServerOptions(
        endpoint,
        key,
        newToken,
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

  /** With TLS. */
  public ServerOptions withTls(@Nullable SSLContext certificates) {
    return new ServerOptions(
        endpoint,
        key,
        token,
        certificates,
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

  /** With or without leave to listen on other addresses than loopback without TLS. */
  public ServerOptions withInsecure(boolean allowed) {
    return new ServerOptions(
        endpoint,
        key,
        token,
        tls,
        allowed,
        nativeCode,
        allowHops,
        devices,
        functions,
        testFunctions,
        tracker,
        proxy,
        limits);
  }

  /** With another treatment of native code. */
  public ServerOptions withNativeCode(NativeCode treatment) {
    return new ServerOptions(
        endpoint,
        key,
        token,
        tls,
        insecure,
        treatment,
        allowHops,
        devices,
        functions,
        testFunctions,
        tracker,
        proxy,
        limits);
  }

  /** With or without connections to further servers, which clients ask for. */
  public ServerOptions withAllowHops(boolean allowed) {
    return new ServerOptions(
        endpoint,
        key,
        token,
        tls,
        insecure,
        nativeCode,
        allowed,
        devices,
        functions,
        testFunctions,
        tracker,
        proxy,
        limits);
  }

  /** With devices, such as {@code opencl:0}. */
  public ServerOptions withDevices(List<String> names) {
    return new ServerOptions(
        endpoint,
        key,
        token,
        tls,
        insecure,
        nativeCode,
        allowHops,
        names,
        functions,
        testFunctions,
        tracker,
        proxy,
        limits);
  }

  /** With further functions. */
  public ServerOptions withFunctions(Map<String, PackedFunc> further) {
    return new ServerOptions(
        endpoint,
        key,
        token,
        tls,
        insecure,
        nativeCode,
        allowHops,
        devices,
        further,
        testFunctions,
        tracker,
        proxy,
        limits);
  }

  /** With or without the functions with which other clients can be tried. */
  public ServerOptions withTestFunctions(boolean offered) {
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
        offered,
        tracker,
        proxy,
        limits);
  }

  /** With a tracker, under the key. */
  public ServerOptions withTracker(@Nullable Endpoint address) {
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
        address,
        proxy,
        limits);
  }

  /** With a proxy, under the key. */
  public ServerOptions withProxy(@Nullable Endpoint address) {
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
        address,
        limits);
  }

  /** With other bounds. */
  public ServerOptions withLimits(Limits bounds) {
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
        bounds);
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
