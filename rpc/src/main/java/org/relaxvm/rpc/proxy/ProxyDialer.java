package org.relaxvm.rpc.proxy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.relaxvm.rpc.connection.Endpoint;
import org.relaxvm.rpc.transport.Link;
import org.relaxvm.rpc.transport.Sockets;
import org.relaxvm.rpc.wire.Handshake;
import org.relaxvm.rpc.wire.PacketInput;
import org.relaxvm.rpc.wire.PacketOutput;
import org.relaxvm.rpc.wire.WireLimits;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server's side of a proxy: connects, waits for a client, serves it, and connects anew. A virtual
 * thread of its own does that. Thread-safe.
 */
public final class ProxyDialer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ProxyDialer.class);

  /** What is done with a client. */
  @FunctionalInterface
  public interface Service {
    /**
     * Serves a client to its end.
     *
     * @param in has read the client's key
     * @param clientKey with its options
     */
    void serve(Link link, PacketInput in, PacketOutput out, String clientKey) throws IOException;
  }

  private static final Duration CLOSE_TIME = Duration.ofSeconds(10);

  private final Endpoint proxy;
  private final String key;
  private final WireLimits limits;
  private final Duration retry;
  private final Service service;
  private final Thread thread;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private volatile boolean serving;
  private volatile @Nullable Link open;

  private ProxyDialer(
      Endpoint proxy, String key, WireLimits limits, Duration retry, Service service) {
    this.proxy = proxy;
    this.key = key;
    this.limits = limits;
    this.retry = retry;
    this.service = service;
    this.thread = Thread.ofVirtual().name("relaxvm-rpc-dialer").unstarted(this::run);
  }

  /**
   * Begins to connect.
   *
   * @param key under which clients ask for the server
   * @param retry between attempts to reach the proxy, also the limit of one
   */
  public static ProxyDialer start(
      Endpoint proxy, String key, WireLimits limits, Duration retry, Service service) {
    ProxyDialer dialer = new ProxyDialer(proxy, key, limits, retry, service);
    dialer.thread.start();
    return dialer;
  }

  private void run() {
    while (!isStopped()) {
      try (Link link = Sockets.connect(proxy, null, retry)) {
        open = link;
        if (isStopped()) {
          return;
        }
        PacketInput in = new PacketInput(link, limits);
        PacketOutput out = new PacketOutput(link);
        Handshake.send(out, Handshake.MAGIC, "server:" + key);
        if (in.awaitBytes()) {
          int code = in.readBareInt();
          if (code == Handshake.SUCCESS) {
            serve(link, in, out);
            continue;
          }
          LOG.warn(
              "the proxy {} does not take the server: {}",
              proxy,
              code == Handshake.DUPLICATE ? "its key waits already" : "nobody came");
        }
      } catch (IOException e) {
        if (!isStopped()) {
          LOG.warn("the proxy {} cannot be reached: {}", proxy, e.getMessage());
        }
      } catch (RuntimeException | Error e) {
        // Of the one session, such as a process that cannot be started.
        LOG.warn("a session by the proxy {} failed", proxy, e);
      }
      pause();
    }
  }

  private void serve(Link link, PacketInput in, PacketOutput out) throws IOException {
    serving = true;
    try {
      if (!isStopped()) {
        service.serve(link, in, out, Handshake.readKey(in));
      }
    } finally {
      serving = false;
    }
  }

  private boolean isStopped() {
    return stopped.getCount() == 0;
  }

  private void pause() {
    try {
      stopped.await(retry.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      stopped.countDown();
    }
  }

  /** Connects no more; a session that runs goes on. */
  public void stop() {
    stopped.countDown();
    Link link = open;
    if (link != null && !serving) {
      link.close();
    }
  }

  /**
   * Waits for the end of the session that runs.
   *
   * @return false when it goes on after the time
   */
  public boolean await(Duration limit) {
    try {
      return thread.join(limit.isPositive() ? limit : Duration.ofNanos(1));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Ends the session that runs, and connects no more. */
  @Override
  public void close() {
    stop();
    Link link = open;
    if (link != null) {
      link.close();
    }
    thread.interrupt();
    await(CLOSE_TIME);
  }
}
