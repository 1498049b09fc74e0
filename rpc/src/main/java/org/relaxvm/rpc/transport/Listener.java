package org.relaxvm.rpc.transport;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.channels.Channel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.rpc.connection.Endpoint;
import org.relaxvm.rpc.error.RpcException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts connections and serves each in a virtual thread. A failure of one connection ends that
 * one. Thread-safe.
 */
public final class Listener implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Listener.class);
  private static final Duration RETRY = Duration.ofMillis(100);
  private static final Duration CLOSE_TIME = Duration.ofSeconds(10);

  private final ServerSocketChannel channel;
  private final Endpoint endpoint;
  private final @Nullable SSLContext tls;
  private final Duration helloTime;
  private final Semaphore free;
  private final Set<Link> links = ConcurrentHashMap.newKeySet();

  /** The connections by their threads; a handshake of TLS has no link yet. */
  private final Map<Thread, SocketChannel> threads = new ConcurrentHashMap<>();

  /** What is done with a connection. */
  @FunctionalInterface
  public interface Service {
    /**
     * Serves a connection to its end.
     *
     * @param link closed by the listener
     * @throws IOException when the connection fails
     */
    void serve(Link link) throws IOException;
  }

  private Listener(
      ServerSocketChannel channel,
      Endpoint endpoint,
      @Nullable SSLContext tls,
      int connections,
      Duration helloTime) {
    this.channel = channel;
    this.endpoint = endpoint;
    this.tls = tls;
    this.helloTime = helloTime;
    this.free = new Semaphore(connections);
  }

  /**
   * Begins to listen.
   *
   * @param wanted port 0 takes any that is free
   * @param tls certificates of both sides; null for connections without TLS
   * @param connections at once; others wait
   * @param helloTime for the handshake of TLS
   * @throws RpcException when the address cannot be used
   */
  public static Listener open(
      Endpoint wanted, @Nullable SSLContext tls, int connections, Duration helloTime) {
    try {
      InetAddress address = InetAddress.getByName(wanted.host());
      ServerSocketChannel channel = ServerSocketChannel.open();
      try {
        channel.bind(new InetSocketAddress(address, wanted.port()));
        InetSocketAddress bound = (InetSocketAddress) channel.getLocalAddress();
        Endpoint real = new Endpoint(bound.getAddress().getHostAddress(), bound.getPort());
        return new Listener(channel, real, tls, connections, helloTime);
      } catch (IOException | RuntimeException e) {
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
      throw new RpcException(ErrorKind.IO, "cannot listen on " + wanted + ": " + e.getMessage(), e);
    }
  }

  /** Where it listens, with its real port. */
  public Endpoint endpoint() {
    return endpoint;
  }

  /** Begins to accept. */
  public void start(Service service) {
    Thread.ofVirtual().name("relaxvm-rpc-accept").start(() -> accept(service));
  }

  private void accept(Service service) {
    while (channel.isOpen()) {
      try {
        free.acquire();
        SocketChannel accepted = channel.accept();
        Thread thread =
            Thread.ofVirtual()
                .name("relaxvm-rpc-connection")
                .unstarted(() -> serve(accepted, service));
        threads.put(thread, accepted);
        thread.start();
      } catch (ClosedChannelException | InterruptedException e) {
        return;
      } catch (IOException e) {
        // Of the one connection: too many open files, or it was gone already.
        free.release();
        LOG.warn("a connection was not accepted: {}", e.getMessage());
        LockSupport.parkNanos(RETRY.toNanos());
      }
    }
  }

  private void serve(SocketChannel accepted, Service service) {
    try (Link link = Sockets.accepted(accepted, tls, helloTime)) {
      links.add(link);
      try {
        if (channel.isOpen()) {
          service.serve(link);
        }
      } finally {
        links.remove(link);
      }
    } catch (IOException e) {
      LOG.debug("a connection ended: {}", e.getMessage());
    } finally {
      threads.remove(Thread.currentThread());
      free.release();
    }
  }

  /**
   * Accepts no more and waits until all connections have ended.
   *
   * @return false when some had not after the time
   */
  public boolean drain(Duration limit) {
    stop();
    long end = System.nanoTime() + limit.toNanos();
    try {
      for (Thread thread : threads.keySet()) {
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

  /** Accepts no more. */
  public void stop() {
    close(channel);
  }

  private static void close(Channel closed) {
    try {
      closed.close();
    } catch (IOException e) {
      LOG.debug("closing {} failed", closed, e);
    }
  }

  /** Ends all connections. */
  @Override
  public void close() {
    stop();
    links.forEach(Link::close);
    threads.values().forEach(Listener::close);
    drain(CLOSE_TIME);
  }
}
