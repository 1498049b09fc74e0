package org.relaxvm.rpc;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.rpc.server.SessionFactory;
import org.relaxvm.rpc.transport.Link;
import org.relaxvm.rpc.transport.Sockets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
  private static final Logger LOG = LoggerFactory.getLogger(RpcServer.class);

  private final ServerSocketChannel channel;
  private final Endpoint endpoint;
  private final ServerOptions options;
  private final BackendRegistry registry;
  private final boolean ownsRegistry;
  private final SessionFactory sessions;
  private final Semaphore free;
  private final Set<Link> links = ConcurrentHashMap.newKeySet();
  private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
  private final Thread acceptor;

  private RpcServer(
      ServerSocketChannel channel,
      Endpoint endpoint,
      ServerOptions options,
      BackendRegistry registry,
      boolean ownsRegistry) {
    this.channel = channel;
    this.endpoint = endpoint;
    this.options = options;
    this.registry = registry;
    this.ownsRegistry = ownsRegistry;
    this.sessions = new SessionFactory(options, registry);
    this.free = new Semaphore(options.limits().connections());
    this.acceptor = Thread.ofVirtual().name("relaxvm-rpc-accept").unstarted(this::accept);
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
      ServerSocketChannel channel = listen(options);
      try {
        RpcServer server =
            new RpcServer(channel, boundTo(channel), options, registry, ownsRegistry);
        server.acceptor.start();
        started = true;
        return server;
      } finally {
        if (!started) {
          close(channel);
        }
      }
    } finally {
      if (!started && ownsRegistry) {
        registry.close();
      }
    }
  }

  private static ServerSocketChannel listen(ServerOptions options) {
    Endpoint wanted = options.endpoint();
    try {
      InetAddress address = InetAddress.getByName(wanted.host());
      if (!address.isLoopbackAddress() && options.tls() == null && !options.insecure()) {
        throw new RpcException(
            ErrorKind.VALUE,
            "a server on "
                + wanted
                + " without TLS would run programs of anybody who can reach it\n  what to do: give"
                + " it certificates (--tls), or accept that with --insecure");
      }
      ServerSocketChannel channel = ServerSocketChannel.open();
      try {
        channel.bind(new InetSocketAddress(address, wanted.port()));
        return channel;
      } catch (IOException e) {
        channel.close();
        throw e;
      }
    } catch (UnknownHostException e) {
      throw new RpcException(
          ErrorKind.VALUE, "cannot listen on " + wanted + ": the host name is not known", e);
    } catch (BindException e) {
      throw new RpcException(
          ErrorKind.IO,
          "cannot listen on "
              + wanted
              + ": "
              + e.getMessage()
              + "\n  what to do: choose another port, or port 0 for any that is free",
          e);
    } catch (IOException e) {
      throw new RpcException(
          ErrorKind.IO, "cannot listen on " + wanted + ": " + e.getMessage(), e);
    }
  }

  private static Endpoint boundTo(ServerSocketChannel channel) {
    InetSocketAddress address = (InetSocketAddress) channel.socket().getLocalSocketAddress();
    return new Endpoint(address.getAddress().getHostAddress(), address.getPort());
  }

  /** Where the server listens, with its real port. */
  public Endpoint endpoint() {
    return endpoint;
  }

  /** The number of sessions now. */
  public int sessionCount() {
    return links.size();
  }

  private void accept() {
    while (channel.isOpen()) {
      try {
        free.acquire();
        SocketChannel accepted = channel.accept();
        Thread.ofVirtual().name("relaxvm-rpc-session").start(() -> serve(accepted));
      } catch (ClosedChannelException | InterruptedException e) {
        return;
      } catch (IOException e) {
        // Of the one connection: too many open files, or it was gone already.
        free.release();
        LOG.warn("a connection was not accepted: {}", e.getMessage());
      }
    }
  }

  private void serve(SocketChannel accepted) {
    threads.add(Thread.currentThread());
    try (Link link =
        Sockets.accepted(accepted, options.tls(), options.limits().helloTime())) {
      links.add(link);
      try {
        if (channel.isOpen()) {
          sessions.serve(link, options.key());
        }
      } finally {
        links.remove(link);
      }
    } catch (IOException e) {
      LOG.info("a client was refused: {}", e.getMessage());
    } finally {
      threads.remove(Thread.currentThread());
      free.release();
    }
  }

  /**
   * Accepts no more clients and waits until all sessions have ended.
   *
   * @return false when some had not after the time
   */
  public boolean drain(Duration limit) {
    close(channel);
    long end = System.nanoTime() + limit.toNanos();
    try {
      for (Thread thread : threads) {
        long left = Math.max(1, end - System.nanoTime());
        if (!thread.join(Duration.ofNanos(left))) {
          return false;
        }
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Ends all sessions, the calls that run included, and closes the devices. */
  @Override
  public void close() {
    close(channel);
    sessions.stopAll();
    links.forEach(Link::close);
    drain(Duration.ofSeconds(10));
    if (ownsRegistry) {
      registry.close();
    }
  }

  private static void close(ServerSocketChannel channel) {
    try {
      channel.close();
    } catch (IOException e) {
      LOG.debug("closing the listening socket failed", e);
    }
  }
}
