package org.relaxvm.rpc.tracker;

import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.rpc.connection.Endpoint;
import org.relaxvm.rpc.error.RpcException;
import org.relaxvm.rpc.transport.Link;
import org.relaxvm.rpc.transport.Listener;
import org.relaxvm.rpc.wire.Handshake;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A tracker: servers offer themselves under a key, and clients ask for one of a key. Each offer
 * serves one session. Thread-safe; a virtual thread serves each connection.
 *
 * <p>Source: docs/spec/rpc-protocol.md, section 8.
 */
public final class Tracker implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Tracker.class);
  private static final int MAX_CONNECTIONS = 4096;
  private static final int MAX_QUEUE = 1 << 16;
  private static final int MAX_TEXT = 1 << 10;
  private static final Duration HELLO_TIME = Duration.ofSeconds(10);

  /** For each answer: who does not read it is gone. */
  private static final Duration SEND_TIME = Duration.ofSeconds(10);

  private final Listener listener;
  private final ReentrantLock lock = new ReentrantLock();
  private final MatchQueue queue = new MatchQueue(MAX_QUEUE);
  private final Set<Connection> connections = new LinkedHashSet<>();
  private final String stopKey;

  private Tracker(Listener listener) {
    this.listener = listener;
    byte[] random = new byte[16];
    new SecureRandom().nextBytes(random);
    this.stopKey = HexFormat.of().formatHex(random);
  }

  /**
   * Starts a tracker.
   *
   * @param endpoint where it listens; port 0 takes any that is free
   * @return the tracker, which the caller closes
   * @throws RpcException when the address cannot be used
   */
  public static Tracker start(Endpoint endpoint) {
    Tracker tracker = new Tracker(Listener.open(endpoint, null, MAX_CONNECTIONS, HELLO_TIME));
    tracker.listener.start(link -> tracker.new Connection(link).serve());
    return tracker;
  }

  /** Where it listens, with its real port. */
  public Endpoint endpoint() {
    return listener.endpoint();
  }

  /** What a client must send to stop it. */
  public String stopKey() {
    return stopKey;
  }

  /** Ends all connections. */
  @Override
  public void close() {
    listener.close();
  }

  /** One connection: a server, or a client. */
  private final class Connection {
    private final TrackerChannel channel;
    private final ReentrantLock sending = new ReentrantLock();
    private final String host;
    private @Nullable Map<String, Object> info;

    Connection(Link link) {
      this.channel = new TrackerChannel(link);
      String peer = link.peer();
      this.host = peer.substring(0, Math.max(0, peer.lastIndexOf(':'))).replaceAll("[\\[\\]]", "");
    }

    void serve() throws IOException {
      Link link = channel.link();
      link.deadline(System.nanoTime() + HELLO_TIME.toNanos());
      if (!channel.await() || channel.readMagic() != Handshake.TRACKER_MAGIC) {
        LOG.info("{} is no client of a tracker", link.peer());
        return;
      }
      channel.sendMagic();
      link.deadline(Link.NEVER);
      locked(() -> connections.add(this));
      try {
        while (channel.await()) {
          Object message = channel.receive();
          if (!answer(message)) {
            LOG.debug("{} sent a message that a tracker does not know", link.peer());
            return;
          }
        }
      } finally {
        locked(
            () -> {
              connections.remove(this);
              queue.remove(this, info != null);
              return true;
            });
      }
    }

    private boolean answer(@Nullable Object message) throws IOException {
      List<?> list = message instanceof List<?> given ? given : List.of();
      return switch (TrackerChannel.code(message)) {
        case TrackerChannel.PING -> reply(0);
        case TrackerChannel.STOP -> stop(list);
        case TrackerChannel.PUT -> put(list);
        case TrackerChannel.REQUEST -> request(list);
        case TrackerChannel.UPDATE_INFO -> update(list);
        case TrackerChannel.SUMMARY -> reply(List.of(0, summary()));
        case TrackerChannel.PENDING_MATCH_KEYS -> reply(locked(() -> queue.pending(this)));
        default -> false;
      };
    }

    private boolean reply(Object message) throws IOException {
      sending.lock();
      try {
        channel.link().deadline(System.nanoTime() + SEND_TIME.toNanos());
        channel.send(message);
        channel.link().deadline(Link.NEVER);
        return true;
      } finally {
        sending.unlock();
      }
    }

    private boolean stop(List<?> message) throws IOException {
      boolean allowed = message.size() > 1 && stopKey.equals(message.get(1));
      reply(allowed ? 0 : -1);
      if (allowed) {
        Thread.ofVirtual().start(Tracker.this::close);
      }
      return true;
    }

    private boolean put(List<?> message) throws IOException {
      if (message.size() < 3
          || !(message.get(1) instanceof String key && isText(key))
          || !(message.get(2) instanceof List<?> value && value.size() == 2)
          || !(value.get(0) instanceof Number port)
          || !(value.get(1) instanceof String matchKey && isText(matchKey))) {
        return false;
      }
      String address = message.size() > 3 && message.get(3) instanceof String own ? own : host;
      return isText(address)
          && locked(
              () ->
                  queue.offer(key, new MatchQueue.Offer(this, address, port.longValue(), matchKey)))
          && reply(0);
    }

    private boolean request(List<?> message) {
      if (message.size() < 4
          || !(message.get(1) instanceof String key && isText(key))
          || !(message.get(3) instanceof Number priority)) {
        return false;
      }
      return locked(
          () ->
              queue.request(
                  key,
                  this,
                  priority.longValue(),
                  offer -> Thread.ofVirtual().start(() -> deliver(key, offer))));
    }

    /**
     * Gives the client its server, or the server to another client when this one is gone. Runs
     * without the tracker's lock, since a client may not read.
     */
    private void deliver(String key, MatchQueue.Offer offer) {
      try {
        reply(List.of(0, List.of(offer.host(), offer.port(), offer.matchKey())));
      } catch (IOException e) {
        LOG.debug("{} was gone before it got its server", channel.link().peer());
        locked(() -> connections.contains(offer.owner()) && queue.offer(key, offer));
      }
    }

    private boolean update(List<?> message) throws IOException {
      if (message.size() < 2 || !(message.get(1) instanceof Map<?, ?> given)) {
        return false;
      }
      Map<String, Object> described = new LinkedHashMap<>();
      for (Map.Entry<?, ?> field : given.entrySet()) {
        Object value = field.getValue();
        if (value instanceof List<?> address && address.size() == 2 && address.getFirst() == null) {
          value = List.of(host, address.getLast());
        }
        described.put(String.valueOf(field.getKey()), value);
      }
      if (described.size() > 16 || !isText(String.valueOf(described))) {
        return false;
      }
      locked(
          () -> {
            info = described;
            return true;
          });
      return reply(0);
    }
  }

  private static boolean isText(String text) {
    return text.length() <= MAX_TEXT;
  }

  private Map<String, Object> summary() {
    return locked(
        () -> {
          List<Object> servers = new ArrayList<>();
          for (Connection connection : connections) {
            Map<String, Object> info = connection.info;
            if (info != null && String.valueOf(info.get("key")).startsWith("server")) {
              servers.add(info);
            }
          }
          Map<String, Object> all = new LinkedHashMap<>();
          all.put("queue_info", queue.summary());
          all.put("server_info", servers);
          return all;
        });
  }

  private <T> T locked(Supplier<T> action) {
    lock.lock();
    try {
      return action.get();
    } finally {
      lock.unlock();
    }
  }
}
