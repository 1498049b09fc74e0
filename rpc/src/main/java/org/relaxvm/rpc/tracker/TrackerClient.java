package org.relaxvm.rpc.tracker;

import java.io.EOFException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.relaxvm.rpc.connection.Endpoint;
import org.relaxvm.rpc.error.RpcConnectException;
import org.relaxvm.rpc.error.RpcDisconnectedException;
import org.relaxvm.rpc.error.RpcException;
import org.relaxvm.rpc.error.RpcProtocolException;
import org.relaxvm.rpc.error.RpcTimeoutException;
import org.relaxvm.rpc.transport.Link;
import org.relaxvm.rpc.transport.LinkTimeoutException;
import org.relaxvm.rpc.transport.Sockets;
import org.relaxvm.rpc.wire.Handshake;
import org.relaxvm.rpc.wire.WireException;

/**
 * A connection to a tracker. Thread-safe: requests are made one after another.
 *
 * <p>Source: docs/spec/rpc-protocol.md, section 8.
 */
public final class TrackerClient implements AutoCloseable {
  private final TrackerChannel channel;
  private final Endpoint endpoint;

  private TrackerClient(TrackerChannel channel, Endpoint endpoint) {
    this.channel = channel;
    this.endpoint = endpoint;
  }

  /**
   * Connects.
   *
   * @param limit for the connection and its first messages
   * @return the connection, which the caller closes
   * @throws RpcConnectException when there is no tracker
   * @throws RpcTimeoutException when it does not answer in time
   */
  public static TrackerClient connect(Endpoint endpoint, Duration limit) {
    try {
      return new TrackerClient(open(endpoint, limit), endpoint);
    } catch (LinkTimeoutException e) {
      throw new RpcTimeoutException("the tracker " + endpoint + " did not answer in time", e);
    } catch (WireException e) {
      throw new RpcProtocolException(
          endpoint + " is no tracker: it sent " + e.getMessage() + "\n  what to do: check the port",
          e);
    } catch (IOException e) {
      throw new RpcConnectException(
          "cannot connect to the tracker "
              + endpoint
              + ": "
              + e.getMessage()
              + "\n  what to do: start one there: relaxvm rpc tracker --port "
              + endpoint.port(),
          e);
    }
  }

  /** A channel to a tracker after its first messages. */
  static TrackerChannel open(Endpoint endpoint, Duration limit) throws IOException {
    Link link = Sockets.connect(endpoint, null, limit);
    boolean done = false;
    try {
      link.deadline(System.nanoTime() + limit.toNanos());
      TrackerChannel channel = new TrackerChannel(link);
      channel.sendMagic();
      int magic = channel.readMagic();
      if (magic != Handshake.TRACKER_MAGIC) {
        throw new WireException("0x" + Integer.toHexString(magic));
      }
      link.deadline(Link.NEVER);
      done = true;
      return channel;
    } finally {
      if (!done) {
        link.close();
      }
    }
  }

  /**
   * A server that a tracker gave.
   *
   * @param matchKey the key that the server expects of its client
   */
  public record ServerAddress(Endpoint endpoint, String matchKey) {}

  /**
   * How much of a key there is.
   *
   * @param free servers that wait
   * @param pending clients that wait
   */
  public record QueueCount(String key, long free, long pending) {}

  /** What a tracker knows: its queues, and its servers with their addresses. */
  public record Summary(List<QueueCount> queues, Map<String, String> servers) {}

  /** Checks that the tracker answers. */
  public void ping(Duration limit) {
    ask(limit, List.of(TrackerChannel.PING));
  }

  /**
   * Waits for a server of a key.
   *
   * @param priority the highest is served first
   * @param limit of the wait
   * @throws RpcTimeoutException when none is free in time
   */
  public ServerAddress request(String key, String user, int priority, Duration limit) {
    Object answer = ask(limit, List.of(TrackerChannel.REQUEST, key, user, priority));
    if (answer instanceof List<?> list
        && list.size() == 2
        && list.get(1) instanceof List<?> server
        && server.size() == 3
        && server.get(0) instanceof String host
        && server.get(1) instanceof Integer port
        && server.get(2) instanceof String matchKey) {
      return new ServerAddress(new Endpoint(host, port), matchKey);
    }
    throw unknown(answer);
  }

  /** What the tracker knows now. */
  public Summary summary(Duration limit) {
    Object answer = ask(limit, List.of(TrackerChannel.SUMMARY));
    if (!(answer instanceof List<?> list
        && list.size() == 2
        && list.get(1) instanceof Map<?, ?> content)) {
      throw unknown(answer);
    }
    List<QueueCount> queues = new ArrayList<>();
    if (content.get("queue_info") instanceof Map<?, ?> counts) {
      counts.forEach(
          (key, count) -> {
            if (count instanceof Map<?, ?> of) {
              queues.add(
                  new QueueCount(
                      String.valueOf(key), number(of.get("free")), number(of.get("pending"))));
            }
          });
    }
    Map<String, String> servers = new LinkedHashMap<>();
    if (content.get("server_info") instanceof List<?> infos) {
      for (Object info : infos) {
        if (info instanceof Map<?, ?> of && of.get("addr") instanceof List<?> address) {
          servers.merge(
              address.getFirst() + ":" + address.getLast(),
              String.valueOf(of.get("key")),
              (first, second) -> first + ", " + second);
        }
      }
    }
    return new Summary(queues, servers);
  }

  private static long number(@Nullable Object value) {
    return value instanceof Number number ? number.longValue() : 0;
  }

  /**
   * Stops the tracker.
   *
   * @param stopKey what the tracker printed when it was started
   * @return whether it stops
   */
  public boolean stop(String stopKey, Duration limit) {
    return Integer.valueOf(0).equals(ask(limit, List.of(TrackerChannel.STOP, stopKey)));
  }

  private synchronized @Nullable Object ask(Duration limit, Object message) {
    try {
      channel.link().deadline(System.nanoTime() + limit.toNanos());
      channel.send(message);
      if (!channel.await()) {
        throw new EOFException("it closed the connection");
      }
      Object answer = channel.receive();
      channel.link().deadline(Link.NEVER);
      return answer;
    } catch (LinkTimeoutException e) {
      throw new RpcTimeoutException(
          "the tracker "
              + endpoint
              + " did not answer within "
              + limit.toMillis()
              + " ms\n  what to do: see with relaxvm rpc tracker-summary whether a server is free",
          e);
    } catch (WireException e) {
      throw new RpcProtocolException(endpoint + " is no tracker: it sent " + e.getMessage(), e);
    } catch (IOException e) {
      throw new RpcDisconnectedException(
          "the connection to the tracker " + endpoint + " ended: " + e.getMessage(), e);
    }
  }

  private RpcException unknown(@Nullable Object answer) {
    return new RpcProtocolException(endpoint + " gave an answer that is not known: " + answer);
  }

  @Override
  public void close() {
    channel.close();
  }
}
