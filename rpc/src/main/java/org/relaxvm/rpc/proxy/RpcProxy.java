package org.relaxvm.rpc.proxy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.relaxvm.rpc.connection.Endpoint;
import org.relaxvm.rpc.error.RpcException;
import org.relaxvm.rpc.tracker.ServerRegistration;
import org.relaxvm.rpc.transport.Link;
import org.relaxvm.rpc.transport.Listener;
import org.relaxvm.rpc.transport.Relay;
import org.relaxvm.rpc.wire.Handshake;
import org.relaxvm.rpc.wire.PacketInput;
import org.relaxvm.rpc.wire.PacketOutput;
import org.relaxvm.rpc.wire.WireLimits;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Joins a server and a client of one key, which both connect to the proxy: for servers that cannot
 * be reached from outside. Thread-safe; two virtual threads carry the bytes of each pair.
 *
 * <p>Source: docs/spec/rpc-protocol.md, section 9.
 */
public final class RpcProxy implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RpcProxy.class);
  private static final int MAX_CONNECTIONS = 4096;
  private static final Duration HELLO_TIME = Duration.ofSeconds(10);
  private static final String SERVER = "server:";
  private static final String CLIENT = "client:";

  /** How long servers and clients wait for each other, as in the original. */
  public static final Duration DEFAULT_WAIT = Duration.ofSeconds(600);

  private final Listener listener;
  private final Duration wait;
  private final @Nullable Endpoint tracker;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Waiting> servers = new HashMap<>();
  private final Map<String, Waiting> clients = new HashMap<>();

  private RpcProxy(Listener listener, Duration wait, @Nullable Endpoint tracker) {
    this.listener = listener;
    this.wait = wait;
    this.tracker = tracker;
  }

  /**
   * Starts a proxy.
   *
   * @param endpoint where it listens; port 0 takes any that is free
   * @param wait how long one side waits for the other
   * @return the proxy, which the caller closes
   * @throws RpcException when the address cannot be used
   */
  public static RpcProxy start(Endpoint endpoint, Duration wait) {
    return start(endpoint, wait, null);
  }

  /**
   * Starts a proxy that offers each server that waits to a tracker, under the server's key and the
   * proxy's address.
   *
   * @param tracker null for none
   */
  public static RpcProxy start(Endpoint endpoint, Duration wait, @Nullable Endpoint tracker) {
    Listener listener = Listener.open(endpoint, null, MAX_CONNECTIONS, HELLO_TIME);
    RpcProxy proxy = new RpcProxy(listener, wait, tracker);
    proxy.listener.start(proxy::serve);
    return proxy;
  }

  /** Where it listens, with its real port. */
  public Endpoint endpoint() {
    return listener.endpoint();
  }

  /**
   * One side that waits for the other.
   *
   * @param offer of a server to the tracker, if there is one
   */
  private record Waiting(
      Side side, CompletableFuture<Side> partner, @Nullable ServerRegistration offer) {
    boolean isOfferedAs(String matchKey) {
      return offer != null && offer.visit().claim(matchKey);
    }

    void withdraw() {
      if (offer != null) {
        offer.close();
      }
    }
  }

  /** A connection with its key. */
  private record Side(Link link, PacketInput in, PacketOutput out, String key) {}

  private void serve(Link link) throws IOException {
    link.deadline(System.nanoTime() + HELLO_TIME.toNanos());
    PacketInput in = new PacketInput(link, WireLimits.DEFAULT);
    PacketOutput out = new PacketOutput(link);
    if (!in.awaitBytes() || in.readBareInt() != Handshake.MAGIC) {
      LOG.info("{} speaks no RPC", link.peer());
      return;
    }
    Side side = new Side(link, in, out, Handshake.readKey(in));
    link.deadline(Link.NEVER);
    String word = side.key().split(" ", 2)[0];
    if (word.startsWith(SERVER)) {
      join(side, word.substring(SERVER.length()), servers, clients);
    } else if (word.startsWith(CLIENT)) {
      join(side, word.substring(CLIENT.length()), clients, servers);
    } else {
      Handshake.send(out, Handshake.MISMATCH);
    }
  }

  /** Finds the partner that waits, or waits for one; then carries what this side sends. */
  private void join(Side side, String key, Map<String, Waiting> own, Map<String, Waiting> others)
      throws IOException {
    Waiting partner;
    Waiting waiting;
    boolean isDuplicate;
    lock.lock();
    try {
      partner = others.remove(keyOf(key, others));
      waiting = waiting(side, key, partner == null && !own.containsKey(key));
      isDuplicate = partner == null && own.putIfAbsent(key, waiting) != null;
    } finally {
      lock.unlock();
    }
    if (isDuplicate) {
      Handshake.send(side.out(), Handshake.DUPLICATE);
    } else if (partner == null) {
      await(waiting, key, own);
    } else {
      introduce(side, partner);
      carry(side, partner.side());
    }
  }

  private Waiting waiting(Side side, String key, boolean isOffered) {
    return new Waiting(
        side,
        new CompletableFuture<>(),
        isOffered && tracker != null && side.key().startsWith(SERVER)
            ? ServerRegistration.start(tracker, key, endpoint(), ServerRegistration.Periods.DEFAULT)
            : null);
  }

  /** The key of the side that the tracker gave under this match key, or the key itself. */
  private static String keyOf(String key, Map<String, Waiting> others) {
    for (Map.Entry<String, Waiting> entry : others.entrySet()) {
      if (entry.getValue().isOfferedAs(key)) {
        return entry.getKey();
      }
    }
    return key;
  }

  /** A side that cannot be told is gone; its partner is closed, too, and connects anew. */
  private static void introduce(Side side, Waiting partner) throws IOException {
    boolean done = false;
    try {
      Handshake.send(side.out(), Handshake.SUCCESS, partner.side().key());
      // Before the partner is told: it may answer at once.
      partner.partner().complete(side);
      Handshake.send(partner.side().out(), Handshake.SUCCESS, side.key());
      done = true;
    } finally {
      if (!done) {
        partner.side().link().close();
      }
    }
  }

  /**
   * A side sends nothing before it has a partner: that it can be read means that it has, or left.
   */
  private void await(Waiting waiting, String key, Map<String, Waiting> own) throws IOException {
    Thread timer = Thread.ofVirtual().start(() -> expire(waiting, key, own));
    boolean isThere;
    try {
      isThere = waiting.side().in().awaitBytes();
    } finally {
      timer.interrupt();
      remove(waiting, key, own);
      waiting.withdraw();
    }
    Side partner = waiting.partner().getNow(null);
    if (partner != null) {
      if (isThere) {
        carry(waiting.side(), partner);
      } else {
        partner.link().close();
      }
    }
  }

  private boolean remove(Waiting waiting, String key, Map<String, Waiting> own) {
    lock.lock();
    try {
      return own.remove(key, waiting);
    } finally {
      lock.unlock();
    }
  }

  /** Nobody came in time. */
  private void expire(Waiting waiting, String key, Map<String, Waiting> own) {
    try {
      Thread.sleep(wait);
      if (remove(waiting, key, own)) {
        Handshake.send(waiting.side().out(), Handshake.MISMATCH);
        waiting.side().link().close();
      }
    } catch (InterruptedException e) {
      // Somebody came, or the side left.
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      LOG.debug("{} had left", waiting.side().link().peer(), e);
    }
  }

  private static void carry(Side from, Side to) {
    ByteBuffer buffer = ByteBuffer.allocateDirect(Relay.BUFFER_BYTES);
    from.in().takeBuffered(buffer);
    Relay.carry(from.link(), buffer, to.link());
  }

  @Override
  public void close() {
    listener.close();
  }
}
