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
import org.relaxvm.rpc.error.RpcDisconnectedException;
import org.relaxvm.rpc.error.RpcException;
import org.relaxvm.rpc.error.RpcProtocolException;
import org.relaxvm.rpc.error.RpcTimeoutException;
import org.relaxvm.rpc.transport.Link;
import org.relaxvm.rpc.transport.LinkTimeoutException;
import org.relaxvm.rpc.wire.PacketCode;
import org.relaxvm.rpc.wire.PacketInput;
import org.relaxvm.rpc.wire.PacketOutput;
import org.relaxvm.rpc.wire.ValueReader;
import org.relaxvm.rpc.wire.ValueWriter;
import org.relaxvm.rpc.wire.WireException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests of a client and their answers, in order. A {@link #request} waits for its answer; a
 * {@link #submit} does not: answers of submitted requests are read when something waits, or when
 * many are outstanding. Their errors are kept for who asks, see {@link #drain}.
 *
 * <p>After a failure of the connection every request fails with the first reason. Thread-safe: one
 * lock, which {@link #close} does not wait for: it ends a request that another thread waits for.
 *
 * <p>Rationale: docs/rationale/rpc.md, "Why are kernel calls sent before earlier ones are
 * answered?"
 */
public final class Conversation implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Conversation.class);

  /** The owner of requests whose errors concern nobody: they are logged. */
  public static final Object NOBODY = new Object();

  /** The limit for each answer while a session is closed, where there is no shorter one. */
  private static final Duration FAREWELL = Duration.ofSeconds(5);

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
  private final ReentrantLock lock = new ReentrantLock();

  /** The owners of submitted requests whose answers were not read yet. */
  private final ArrayDeque<Object> outstanding = new ArrayDeque<>();

  private final Map<Object, RelaxException> failures = new IdentityHashMap<>();
  private final ConcurrentLinkedQueue<Runnable> later = new ConcurrentLinkedQueue<>();
  private Duration limit;
  private boolean runsLater;
  private volatile boolean closing;
  private volatile @Nullable RpcException ended;

  /** The server said that the time of the session is over: the reason for what follows. */
  private @Nullable RpcTimeoutException expiry;

  /**
   * A conversation after its handshake.
   *
   * @param link closed with it
   * @param limit for sending each request, and for each answer; {@link Duration#ZERO} for none
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

  /** Sets another limit for what follows; {@link Duration#ZERO} for none. */
  public void limit(Duration newLimit) {
    lock.lock();
    try {
      limit = newLimit;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Submits a request before the next one, in the thread of that; for handles nobody can reach.
   *
   * @param request calls {@link #submit}
   */
  public void later(Runnable request) {
    if (ended == null) {
      later.add(request);
    }
  }

  // ---------------------------------------------------------------- requests

  /**
   * Makes a request and waits for its answer.
   *
   * @param payload sent at the end of the request
   * @throws RpcException when the connection fails
   * @throws org.relaxvm.rpc.error.RemoteCallException for an error of the other side
   */
  public <T extends @Nullable Object> T request(
      PacketCode code, Body body, MemorySegment payload, Answer<T> answer) {
    lock.lock();
    try {
      begin();
      send(code, body, payload);
      readAllSubmitted();
      boolean copies = code == PacketCode.COPY_FROM_REMOTE;
      return readAnswer(copies ? PacketCode.COPY_ACK : PacketCode.RETURN, answer);
    } catch (IOException e) {
      throw fail(e);
    } finally {
      idle();
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
   * @param owner whose {@link #drain} throws the error of this request, or {@link #NOBODY}
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
      idle();
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
      readAllSubmitted();
      RelaxException failure = failures.remove(owner);
      if (failure != null) {
        throw failure;
      }
    } catch (IOException e) {
      throw fail(e);
    } finally {
      idle();
      lock.unlock();
    }
  }

  /** Drops the error of an owner who asks no more. */
  public void forget(Object owner) {
    lock.lock();
    try {
      failures.remove(owner);
    } finally {
      lock.unlock();
    }
  }

  private void begin() {
    if (!runsLater) {
      runsLater = true;
      try {
        while (ended == null && later.poll() instanceof Runnable request) {
          request.run();
        }
      } finally {
        runsLater = false;
      }
    }
    RpcException reason = ended;
    if (reason != null) {
      throw again(reason);
    }
  }

  private void send(PacketCode code, Body body, MemorySegment payload) throws IOException {
    out.begin(code);
    body.write(out, writer);
    startClock();
    try {
      out.end(payload);
    } catch (IOException e) {
      readLastWords();
      throw e;
    } catch (RuntimeException | Error e) {
      end(disconnected("a request could be sent in part only", e));
      throw e;
    }
  }

  /** A server that ends a session may say why before it closes; an answer is read, not awaited. */
  private void readLastWords() {
    try {
      readAllSubmitted();
      this.<@Nullable Object>readAnswer(PacketCode.RETURN, (_, values) -> values.readSequence());
    } catch (IOException | RelaxException e) {
      LOG.debug("{} said nothing before it closed", link.peer(), e);
    }
  }

  private void readAllSubmitted() throws IOException {
    while (!outstanding.isEmpty()) {
      readSubmitted();
    }
  }

  private void readSubmitted() throws IOException {
    Object owner = outstanding.remove();
    try {
      this.<@Nullable Object>readAnswer(PacketCode.RETURN, (_, values) -> values.readSequence());
    } catch (RelaxException e) {
      if (owner.equals(NOBODY)) {
        LOG.debug("{} did not do what nobody waits for", link.peer(), e);
      } else {
        failures.putIfAbsent(owner, e);
      }
    }
  }

  private <T extends @Nullable Object> T readAnswer(PacketCode expected, Answer<T> answer)
      throws IOException {
    startClock();
    if (!in.next()) {
      throw new EOFException(link.peer() + " closed the connection instead of answering");
    }
    int code = in.code();
    if (code == expected.code()) {
      T result = answer.read(in, reader);
      // A function may raise an error with the text of a session whose time is over.
      expiry = null;
      if (in.remaining() != 0) {
        throw new WireException(in.remaining() + " bytes after the end of an answer");
      }
      return result;
    }
    if (code == PacketCode.EXCEPTION.code()) {
      throw remoteError();
    }
    if (code == PacketCode.SHUTDOWN.code()) {
      throw new EOFException(
          link.peer() + " ended the session: it could not read the last request");
    }
    throw new WireException(
        "an answer with the code " + code + ", where " + expected.code() + " was expected");
  }

  private RelaxException remoteError() throws IOException {
    RelaxException error = RemoteErrors.of(reader.readSequence(), link.peer());
    if (error instanceof RpcTimeoutException timeout) {
      expiry = timeout;
    }
    return error;
  }

  /** Each answer has the limit for itself: those of submitted requests were awaited before. */
  private void startClock() {
    if (!limit.isZero()) {
      link.deadline(System.nanoTime() + limit.toNanos());
    }
  }

  private void idle() {
    if (!limit.isZero()) {
      link.deadline(Link.NEVER);
    }
  }

  // ---------------------------------------------------------------- the end

  /**
   * Ends the conversation because of what the other side sent.
   *
   * @param problem after the name of the peer, such as {@code is TVM 0.21}
   * @return the error, to be thrown
   */
  public RpcProtocolException refuse(String problem) {
    lock.lock();
    try {
      RpcProtocolException failure = new RpcProtocolException(link.peer() + " " + problem);
      end(failure);
      return failure;
    } finally {
      lock.unlock();
    }
  }

  private RpcException fail(IOException cause) {
    RpcException failure = failure(cause);
    end(failure);
    return failure;
  }

  private RpcException failure(IOException cause) {
    if (closing) {
      return disconnected("the session was closed while a request was made", cause);
    }
    if (expiry != null) {
      return new RpcTimeoutException(expiry.summary(), cause);
    }
    return switch (cause) {
      case LinkTimeoutException e ->
          new RpcTimeoutException(
              link.peer()
                  + " did not answer within "
                  + limit.toMillis()
                  + " ms, which ended the session\n  what to do: raise the limit for answers"
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
              "the request was interrupted, which closed the session with " + link.peer(), e);
      default -> disconnected(String.valueOf(cause.getMessage()), cause);
    };
  }

  private RpcDisconnectedException disconnected(String reason, @Nullable Throwable cause) {
    return new RpcDisconnectedException(
        "the connection to "
            + link.peer()
            + " ended: "
            + reason
            + "\n  what to do: connect anew; what the session held on the server is gone",
        cause);
  }

  private void end(RpcException reason) {
    if (ended == null) {
      ended = reason;
    }
    outstanding.clear();
    later.clear();
    link.close();
  }

  private RpcException again(RpcException reason) {
    return reason instanceof RpcDisconnectedException
        ? new RpcDisconnectedException(reason.summary(), reason)
        : new RpcDisconnectedException(
            "the session with " + link.peer() + " has ended: " + reason.problem(), reason);
  }

  /** Whether requests can still be made. */
  public boolean isOpen() {
    return ended == null;
  }

  /** As {@link #close(Runnable)}, without requests. */
  @Override
  public void close() {
    close(() -> {});
  }

  /**
   * Says goodbye and closes the connection; closing again does nothing. A request that another
   * thread waits for fails.
   *
   * @param last requests before the goodbye; not made where the connection is of no use
   */
  public void close(Runnable last) {
    if (!lock.tryLock()) {
      closing = true;
      link.close();
      lock.lock();
    }
    try {
      if (ended == null && !closing) {
        sayGoodbye(last);
      }
    } catch (IOException | RelaxException e) {
      LOG.debug("{} was gone before the session was closed", link.peer(), e);
    } finally {
      end(
          new RpcDisconnectedException(
              "the session with "
                  + link.peer()
                  + " was closed: what it gave out cannot be used any more"));
      lock.unlock();
    }
  }

  private void sayGoodbye(Runnable last) throws IOException {
    if (limit.isZero() || limit.compareTo(FAREWELL) > 0) {
      limit = FAREWELL;
    }
    last.run();
    if (ended == null) {
      startClock();
      out.begin(PacketCode.SHUTDOWN);
      out.end();
    }
  }
}
