package org.relaxvm.rpc.tracker;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.relaxvm.rpc.connection.Endpoint;
import org.relaxvm.rpc.transport.Link;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Offers a server to a tracker: once for each session, under a match key that is new each time. A
 * key that was taken and not used is replaced. When the tracker is gone, it is asked again until it
 * is back. A virtual thread of its own does that.
 *
 * <p>Thread-safe. Source: docs/spec/rpc-protocol.md, section 8.
 */
public final class ServerRegistration implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ServerRegistration.class);

  /**
   * How often things happen.
   *
   * @param poll between questions whether the match key was taken
   * @param unused after which a key that was taken and not used is replaced
   * @param retry between attempts to reach the tracker
   * @param answer the limit for its answers
   */
  public record Periods(Duration poll, Duration unused, Duration retry, Duration answer) {
    /** Those of the original. */
    public static final Periods DEFAULT =
        new Periods(
            Duration.ofSeconds(2),
            Duration.ofSeconds(6),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10));
  }

  private final Endpoint tracker;
  private final String key;
  private final Endpoint server;
  private final Periods periods;
  private final SecureRandom random = new SecureRandom();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Thread thread;
  private String matchKey;
  private boolean busy;
  private boolean offerAgain;
  private boolean closed;
  private @Nullable TrackerChannel open;

  private ServerRegistration(Endpoint tracker, String key, Endpoint server, Periods periods) {
    this.tracker = tracker;
    this.key = key;
    this.server = server;
    this.periods = periods;
    this.matchKey = newKey();
    this.thread = Thread.ofVirtual().name("relaxvm-rpc-registration").unstarted(this::run);
  }

  /**
   * Begins to offer a server.
   *
   * @param key under which clients ask for it
   * @param server where it listens
   */
  public static ServerRegistration start(
      Endpoint tracker, String key, Endpoint server, Periods periods) {
    ServerRegistration made = new ServerRegistration(tracker, key, server, periods);
    made.thread.start();
    return made;
  }

  private String newKey() {
    return key + ":0." + Long.toUnsignedString(random.nextLong());
  }

  /** The key that the next client must name. */
  String matchKey() {
    lock.lock();
    try {
      return matchKey;
    } finally {
      lock.unlock();
    }
  }

  /** A client that came. */
  public Visit visit() {
    return new Visit();
  }

  /** A client that came; the server is offered again when it leaves. Used by one thread. */
  public final class Visit implements AutoCloseable {
    private boolean claimed;

    private Visit() {}

    /** Whether the client has the match key, which no other one can use then. */
    public boolean claim(String given) {
      lock.lock();
      try {
        if (!busy && given.equals(matchKey)) {
          claimed = true;
          busy = true;
          matchKey = newKey();
        }
        return claimed;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void close() {
      lock.lock();
      try {
        if (claimed) {
          busy = false;
          offerAgain = true;
          changed.signalAll();
        }
      } finally {
        lock.unlock();
      }
    }
  }

  private void run() {
    while (!isClosed()) {
      try (TrackerChannel channel = TrackerClient.open(tracker, periods.answer())) {
        hold(channel);
        serve(channel);
      } catch (IOException e) {
        // A channel that close() closed under this thread is not the tracker's fault.
        if (!isClosed()) {
          LOG.warn("the tracker {} cannot be reached: {}", tracker, reason(e));
          pause(periods.retry());
        }
      }
    }
  }

  private static String reason(IOException e) {
    return Objects.requireNonNullElse(e.getMessage(), e.getClass().getSimpleName());
  }

  private void hold(TrackerChannel channel) throws IOException {
    lock.lock();
    try {
      if (closed) {
        throw new IOException("the server was closed");
      }
      open = channel;
    } finally {
      lock.unlock();
    }
  }

  private void serve(TrackerChannel channel) throws IOException {
    Map<String, Object> info = new LinkedHashMap<>();
    info.put("key", "server:" + key);
    List<@Nullable Object> address = new ArrayList<>();
    address.add(isWildcard() ? null : server.host());
    address.add(server.port());
    info.put("addr", address);
    ask(channel, List.of(TrackerChannel.UPDATE_INFO, info));
    if (!isBusy()) {
      put(channel);
    }
    long takenSince = 0;
    while (!isClosed()) {
      if (pause(periods.poll())) {
        put(channel);
        takenSince = 0;
        continue;
      }
      Object pending = ask(channel, List.of(TrackerChannel.PENDING_MATCH_KEYS));
      boolean isPending = pending instanceof List<?> keys && keys.contains(matchKey());
      if (isBusy() || isPending) {
        takenSince = 0;
      } else if (takenSince == 0) {
        takenSince = System.nanoTime();
      } else if (System.nanoTime() - takenSince > periods.unused().toNanos()) {
        LOG.info("the match key was taken, but nobody came: offering a new one");
        renew();
        put(channel);
        takenSince = 0;
      }
    }
  }

  /** The tracker knows better which address this side has. */
  private boolean isWildcard() throws UnknownHostException {
    return InetAddress.getByName(server.host()).isAnyLocalAddress();
  }

  private void put(TrackerChannel channel) throws IOException {
    List<@Nullable Object> message = new ArrayList<>();
    message.add(TrackerChannel.PUT);
    message.add(key);
    message.add(List.of(server.port(), matchKey()));
    message.add(isWildcard() ? null : server.host());
    ask(channel, message);
  }

  private @Nullable Object ask(TrackerChannel channel, Object message) throws IOException {
    channel.link().deadline(System.nanoTime() + periods.answer().toNanos());
    channel.send(message);
    if (!channel.await()) {
      throw new EOFException("it closed the connection");
    }
    Object answer = channel.receive();
    channel.link().deadline(Link.NEVER);
    return answer;
  }

  private void renew() {
    lock.lock();
    try {
      matchKey = newKey();
    } finally {
      lock.unlock();
    }
  }

  private boolean isBusy() {
    lock.lock();
    try {
      return busy;
    } finally {
      lock.unlock();
    }
  }

  private boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  /** Waits; true when the server is to be offered again. */
  private boolean pause(Duration time) {
    lock.lock();
    try {
      long left = time.toNanos();
      while (left > 0 && !closed && !offerAgain) {
        left = changed.awaitNanos(left);
      }
      boolean again = offerAgain;
      offerAgain = false;
      return again;
    } catch (InterruptedException e) {
      closed = true;
      return false;
    } finally {
      lock.unlock();
    }
  }

  /** Takes the offer back. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
      if (open != null) {
        open.close();
      }
    } finally {
      lock.unlock();
    }
    try {
      thread.join(Duration.ofSeconds(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
