package org.relaxvm.rpc.client;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedByInterruptException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.rpc.RpcDisconnectedException;
import org.relaxvm.rpc.RpcException;
import org.relaxvm.rpc.RpcProtocolException;
import org.relaxvm.rpc.RpcTimeoutException;
import org.relaxvm.rpc.transport.Link;
import org.relaxvm.rpc.transport.LinkTimeoutException;
import org.relaxvm.rpc.wire.PacketCode;
import org.relaxvm.rpc.wire.PacketInput;
import org.relaxvm.rpc.wire.PacketOutput;
import org.relaxvm.rpc.wire.ValueReader;
import org.relaxvm.rpc.wire.ValueWriter;
import org.relaxvm.rpc.wire.WireException;

/**
 * Requests of a client and their answers, in order. A {@link #request} waits for its answer; a
 * {@link #submit} does not: answers of submitted requests are read when something waits, or when
 * many are outstanding. Their errors are kept for who asks, see {@link #drain}.
 *
 * <p>After a failure of the connection every request fails with the reason. Thread-safe: one lock.
 *
 * <p>Rationale: docs/rationale/rpc.md, "Why are kernel calls sent before earlier ones are answered?"
 */
public final class Conversation implements AutoCloseable {
  /** Outstanding answers are small, so that the server never waits for this side to read them. */
  private static final int MAX_OUTSTANDING = 64;

  /** Writes the content of a request. */
  @FunctionalInterface
  public interface Body {
    /** Writes after the code. */
    void write(PacketOutput out, ValueWriter values) throws IOException;
  }

  /** Reads the content of an answer that is no error. */
  @FunctionalInterface
  public interface Answer<T extends @Nullable Object> {
    /** Reads after the code. */
    T read(PacketInput in, ValueReader values) throws IOException;
  }

  private final Link link;
  private final PacketInput in;
  private final PacketOutput out;
  private final ValueReader reader;
  private final ValueWriter writer;
  private final Duration limit;
  private final ReentrantLock lock = new ReentrantLock();

  /** The owners of submitted requests whose answers were not read yet. */
  private final ArrayDeque<Object> outstanding = new ArrayDeque<>();

  private final Map<Object, RelaxException> failures = new IdentityHashMap<>();
  private final ConcurrentLinkedQueue<Runnable> later = new ConcurrentLinkedQueue<>();
  private boolean runsLater;
  private @Nullable RpcException ended;

  /**
   * A conversation after its handshake.
   *
   * @param link closed with it
   * @param limit for each answer; {@link Duration#ZERO} for none
   */
  public Conversation(Link link, PacketInput in, PacketOutput out, Duration limit) {
    this.link = link;
    this.in = in;
    this.out = out;
    this.reader = new ValueReader(in);
    this.writer = new ValueWriter(out);
    this.limit = limit;
  }

  /** Who is at the other end, for messages. */
  public String peer() {
    return link.peer();
  }

  /** Makes a request before the next one, in the thread of that; for handles nobody can reach. */
  public void later(Runnable request) {
    later.add(request);
  }

  /**
   * Makes a request and waits for its answer.
   *
   * @param payload sent at the end of the request
   * @throws RpcException when the connection fails
   * @throws org.relaxvm.rpc.RemoteCallException for an error of the other side
   */
  public <T extends @Nullable Object> T request(
      PacketCode code, Body body, MemorySegment payload, Answer<T> answer) {
    lock.lock();
    try {
      begin();
      send(code, body, payload);
      while (!outstanding.isEmpty()) {
        readSubmitted();
      }
      T result = readAnswer(answer);
      link.deadline(Link.NEVER);
      return result;
    } catch (IOException e) {
      throw fail(e);
    } finally {
      lock.unlock();
    }
  }

  /** As {@link #request(PacketCode, Body, MemorySegment, Answer)}, without a payload. */
  public <T extends @Nullable Object> T request(PacketCode code, Body body, Answer<T> answer) {
    return request(code, body, MemorySegment.NULL, answer);
  }

  /**
   * Makes a request whose answer has no content, and does not wait for it.
   *
   * @param owner whose {@link #drain} throws the error of this request
   * @param payload sent at the end of the request; may be reused when the method returns
   */
  public void submit(Object owner, PacketCode code, Body body, MemorySegment payload) {
    lock.lock();
    try {
      begin();
      send(code, body, payload);
      outstanding.add(owner);
      while (outstanding.size() > MAX_OUTSTANDING) {
        readSubmitted();
      }
    } catch (IOException e) {
      throw fail(e);
    } finally {
      lock.unlock();
    }
  }

  /** Reads all outstanding answers, and throws the first error of an owner's requests. */
  public void drain(Object owner) {
    lock.lock();
    try {
      RpcException reason = ended;
      if (reason != null) {
        throw again(reason);
      }
      while (!outstanding.isEmpty()) {
        readSubmitted();
      }
      link.deadline(Link.NEVER);
      RelaxException failure = failures.remove(owner);
      if (failure != null) {
        throw failure;
      }
    } catch (IOException e) {
      throw fail(e);
    } finally {
      lock.unlock();
    }
  }

  private void begin() {
    RpcException reason = ended;
    if (reason != null) {
      throw again(reason);
    }
    if (!runsLater) {
      runsLater = true;
      try {
        for (Runnable request = later.poll(); request != null; request = later.poll()) {
          request.run();
        }
      } finally {
        runsLater = false;
      }
    }
  }

  private void send(PacketCode code, Body body, MemorySegment payload) throws IOException {
    if (!limit.isZero()) {
      link.deadline(System.nanoTime() + limit.toNanos());
    }
    out.begin(code);
    body.write(out, writer);
    out.end(payload);
  }

  private void readSubmitted() throws IOException {
    Object owner = outstanding.remove();
    try {
      this.<@Nullable Object>readAnswer((_, values) -> values.readSequence());
    } catch (RpcException e) {
      throw e;
    } catch (RelaxException e) {
      failures.putIfAbsent(owner, e);
    }
  }

  private <T extends @Nullable Object> T readAnswer(Answer<T> answer) throws IOException {
    if (!in.next()) {
      throw new EOFException(link.peer() + " closed the connection instead of answering");
    }
    return switch (PacketCode.of(in.code()).orElse(PacketCode.NONE)) {
      case RETURN, COPY_ACK -> answer.read(in, reader);
      case EXCEPTION -> throw RemoteErrors.of(reader.readSequence(), link.peer());
      case SHUTDOWN ->
          throw new EOFException(
              link.peer() + " ended the session: it could not read the last request");
      default ->
          throw new WireException("an answer with the code " + in.code() + ", which is none");
    };
  }

  private RpcException fail(IOException cause) {
    RpcException failure =
        switch (cause) {
          case LinkTimeoutException e ->
              new RpcTimeoutException(
                  "no answer from "
                      + link.peer()
                      + " within "
                      + limit.toMillis()
                      + " ms; the session is closed\n  what to do: raise the limit for calls"
                      + " (RpcOptions.withCallTimeout, --timeout), or see whether the server hangs",
                  e);
          case WireException e ->
              new RpcProtocolException(
                  link.peer()
                      + " sent what the protocol does not allow: "
                      + e.getMessage()
                      + "\n  expected: a server of TVM 0.22 or newer, or of RelaxVM",
                  e);
          case ClosedByInterruptException e ->
              new RpcDisconnectedException(
                  "the call was interrupted, which closed the session with " + link.peer(), e);
          default ->
              new RpcDisconnectedException(
                  "the connection to "
                      + link.peer()
                      + " ended: "
                      + cause.getMessage()
                      + "\n  what to do: connect anew; what the session held on the server is gone",
                  cause);
        };
    end(failure);
    return failure;
  }

  private void end(RpcException reason) {
    if (ended == null) {
      ended = reason;
    }
    outstanding.clear();
    link.close();
  }

  private RpcException again(RpcException reason) {
    return reason instanceof RpcDisconnectedException
        ? new RpcDisconnectedException(reason.summary(), reason)
        : new RpcDisconnectedException(
            "the session with " + link.peer() + " is closed since: " + reason.problem(), reason);
  }

  /** Whether requests can still be made. */
  public boolean isOpen() {
    lock.lock();
    try {
      return ended == null;
    } finally {
      lock.unlock();
    }
  }

  /** Says goodbye and closes the connection; closing again does nothing. */
  @Override
  public void close() {
    lock.lock();
    try {
      if (ended == null) {
        later.clear();
        out.begin(PacketCode.SHUTDOWN);
        out.end();
      }
    } catch (IOException e) {
      // The other side is gone already.
    } finally {
      end(
          new RpcDisconnectedException(
              "the session with "
                  + link.peer()
                  + " was closed: what it gave out cannot be used any more"));
      lock.unlock();
    }
  }
}
