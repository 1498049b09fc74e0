package org.relaxvm.rpc;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.rpc.connection.Endpoint;
import org.relaxvm.rpc.connection.NativeCode;
import org.relaxvm.rpc.connection.ServerOptions;
import org.relaxvm.rpc.error.RpcException;
import org.relaxvm.rpc.proxy.ProxyDialer;
import org.relaxvm.rpc.server.SessionFactory;
import org.relaxvm.rpc.tracker.ServerRegistration;
import org.relaxvm.rpc.transport.Link;
import org.relaxvm.rpc.transport.Listener;

/**
 * Runs programs and functions for clients elsewhere, as Apache TVM's RPC server does. Each
 * connection is a session of its own: its files, memory and handles end with it.
 *
 * <pre>{@code
 * try (RpcServer server = RpcServer.start(ServerOptions.DEFAULT);
 *     RpcSession session = RpcSession.connect(server.endpoint(), RpcOptions.DEFAULT)) { ... }
 * }</pre>
 *
 * <p>Thread-safe. A virtual thread serves each session.
 */
public final class RpcServer implements AutoCloseable {
  private static final Duration RETRY = Duration.ofSeconds(5);

  private final Listener listener;
  private final ServerOptions options;
  private final BackendRegistry registry;
  private final boolean ownsRegistry;
  private final SessionFactory sessions;
  private volatile @Nullable ServerRegistration registration;
  private volatile @Nullable ProxyDialer dialer;

  private RpcServer(
      Listener listener,
      ServerOptions options,
      BackendRegistry registry,
      boolean ownsRegistry,
      SessionFactory sessions) {
    this.listener = listener;
    this.options = options;
    this.registry = registry;
    this.ownsRegistry = ownsRegistry;
    this.sessions = sessions;
  }

  /**
   * Starts a server with the backends of the class path.
   *
   * @return the server, which the caller closes
   * @throws RpcException when the address cannot be used, or needs {@link ServerOptions#insecure}
   * @throws org.relaxvm.api.error.BackendException when a device cannot be had
   */
  public static RpcServer start(ServerOptions options) {
    return start(options, BackendRegistry.discover(), true);
  }

  /**
   * Starts a server with other backends.
   *
   * @param registry closed by the caller, after the server
   * @return the server, which the caller closes
   * @throws RpcException as {@link #start(ServerOptions)}
   */
  public static RpcServer start(ServerOptions options, BackendRegistry registry) {
    return start(options, registry, false);
  }

  private static RpcServer start(
      ServerOptions options, BackendRegistry registry, boolean ownsRegistry) {
    boolean started = false;
    try {
      requireSafe(options);
      Listener listener =
          Listener.open(
              options.endpoint(),
              options.tls(),
              options.limits().connections(),
              options.limits().helloTime());
      try {
        RpcServer server =
            new RpcServer(
                listener, options, registry, ownsRegistry, new SessionFactory(options, registry));
        server.begin();
        started = true;
        return server;
      } finally {
        if (!started) {
          listener.close();
        }
      }
    } finally {
      if (!started && ownsRegistry) {
        registry.close();
      }
    }
  }

  private void begin() {
    Endpoint tracker = options.tracker();
    if (tracker != null) {
      registration =
          ServerRegistration.start(
              tracker, options.key(), listener.endpoint(), ServerRegistration.Periods.DEFAULT);
    }
    Endpoint proxy = options.proxy();
    if (proxy != null) {
      dialer =
          ProxyDialer.start(
              proxy, options.key(), sessions.wireLimits(), RETRY, sessions::serveProxied);
    }
    listener.start(this::serve);
  }

  private static void requireSafe(ServerOptions options) {
    if (options.nativeCode() == NativeCode.IN_CHILD_PROCESS && !options.functions().isEmpty()) {
      throw new RpcException(
          ErrorKind.VALUE,
          "functions of this process cannot be offered by sessions in processes of their own\n"
              + "  what to do: NativeCode.IN_PROCESS, or no further functions");
    }
    if (options.insecure()) {
      return;
    }
    // The listener names an unknown host; that of a proxy may be known later.
    if (options.tls() == null && isElsewhere(options.endpoint(), false)) {
      throw new RpcException(
          ErrorKind.VALUE,
          "a server on "
              + options.endpoint()
              + " without TLS would run programs of anybody who can reach it\n  what to do: give it"
              + " certificates (--tls), or accept that with --insecure");
    }
    Endpoint proxy = options.proxy();
    if (proxy != null && options.tls() != null) {
      throw new RpcException(
          ErrorKind.VALUE,
          "clients that the proxy "
              + proxy
              + " brings come without TLS, and so without a certificate\n  what to do: start the"
              + " server without --proxy or without --tls, or accept that with --insecure");
    }
    if (proxy != null && isElsewhere(proxy, true)) {
      throw new RpcException(
          ErrorKind.VALUE,
          "a server reached through the proxy "
              + proxy
              + " would run programs of anybody who can reach the proxy\n  what to do: accept that"
              + " with --insecure");
    }
  }

  private static boolean isElsewhere(Endpoint endpoint, boolean ifUnknown) {
    try {
      return !InetAddress.getByName(endpoint.host()).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return ifUnknown;
    }
  }

  private void serve(Link link) throws IOException {
    ServerRegistration offered = registration;
    if (offered == null) {
      sessions.serve(link, options.key()::equals);
      return;
    }
    try (ServerRegistration.Visit visit = offered.visit()) {
      sessions.serve(link, visit::claim);
    }
  }

  /** Where the server listens, with its real port. */
  public Endpoint endpoint() {
    return listener.endpoint();
  }

  /** The number of sessions now. */
  public int sessionCount() {
    return sessions.count();
  }

  /**
   * Accepts no more clients, also of a tracker or a proxy, and waits until all sessions have ended.
   *
   * @return false when some had not after the time
   */
  public boolean drain(Duration limit) {
    long end = System.nanoTime() + limit.toNanos();
    ServerRegistration offered = registration;
    if (offered != null) {
      offered.close();
    }
    ProxyDialer dialing = dialer;
    if (dialing != null) {
      dialing.stop();
    }
    boolean isEmpty = listener.drain(limit);
    return (dialing == null || dialing.await(Duration.ofNanos(end - System.nanoTime()))) && isEmpty;
  }

  /** Ends all sessions, the calls that run included, and closes the devices. */
  @Override
  public void close() {
    ServerRegistration offered = registration;
    if (offered != null) {
      offered.close();
    }
    listener.stop();
    sessions.stopAll();
    ProxyDialer dialing = dialer;
    if (dialing != null) {
      dialing.close();
    }
    listener.close();
    if (ownsRegistry) {
      registry.close();
    }
  }
}
