package org.relaxvm.rpc.golden;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.relaxvm.rpc.connection.Endpoint;
import org.relaxvm.rpc.transport.Link;
import org.relaxvm.rpc.transport.Sockets;
import org.relaxvm.rpc.wire.Handshake;
import org.relaxvm.rpc.wire.OpaquePointer;
import org.relaxvm.rpc.wire.PacketCode;
import org.relaxvm.rpc.wire.PacketInput;
import org.relaxvm.rpc.wire.PacketOutput;
import org.relaxvm.rpc.wire.ValueReader;
import org.relaxvm.rpc.wire.ValueWriter;
import org.relaxvm.rpc.wire.WireLimits;

/** A server on the loopback address that does what a test says, one connection after another. */
public final class FakePeer implements AutoCloseable {
  private final ServerSocketChannel listener;
  private final CompletableFuture<Void> done = new CompletableFuture<>();

  /** What the server does in a connection, which is closed afterwards. */
  @FunctionalInterface
  public interface Script {
    /** Speaks with the client. */
    void run(Connection client) throws Exception;
  }

  /** Starts a server with a script for each connection. */
  public FakePeer(Script... scripts) throws IOException {
    listener = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0));
    Thread.ofVirtual().start(() -> serve(scripts));
  }

  private void serve(Script... scripts) {
    try {
      for (Script script : scripts) {
        SocketChannel channel = listener.accept();
        try (Link link = Sockets.accepted(channel, null, Duration.ofSeconds(10))) {
          script.run(new Connection(link, channel));
        }
      }
      done.complete(null);
    } catch (Exception | AssertionError e) {
      done.completeExceptionally(e);
    }
  }

  /** Where it listens. */
  public Endpoint endpoint() {
    try {
      return new Endpoint("127.0.0.1", ((InetSocketAddress) listener.getLocalAddress()).getPort());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Waits until all scripts are done; fails as they failed. */
  public void finish() throws Exception {
    try {
      done.get(20, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }

  /** The server's end of a connection. */
  public static final class Connection {
    private final SocketChannel channel;
    private final PacketInput in;
    private final PacketOutput out;
    private final ValueReader reader;
    private final ValueWriter writer;

    Connection(Link link, SocketChannel channel) {
      this.channel = channel;
      this.in = new PacketInput(link, WireLimits.DEFAULT);
      this.out = new PacketOutput(link);
      this.reader = new ValueReader(in);
      this.writer = new ValueWriter(out);
    }

    /** Reads a hello, and answers it. */
    public Connection welcome() throws IOException {
      readHello();
      Handshake.send(out, Handshake.SUCCESS, "server:");
      return this;
    }

    /** Reads a hello, and gives its key. */
    public String readHello() throws IOException {
      if (in.readBareInt() != Handshake.MAGIC) {
        throw new AssertionError("no hello");
      }
      return Handshake.readKey(in);
    }

    /** Answers a hello with a number alone. */
    public void refuse(int number) throws IOException {
      Handshake.send(out, number);
    }

    /** Reads hello and the first request, and answers both. */
    public Connection begin() throws IOException {
      welcome();
      expect(PacketCode.INIT_SERVER);
      answer((Object) null);
      return this;
    }

    /** Goes to the next request. */
    public PacketCode next() throws IOException {
      if (!in.next()) {
        throw new AssertionError("the client closed");
      }
      return PacketCode.of(in.code()).orElseThrow();
    }

    /** Whether the client closed. */
    public boolean isEnd() throws IOException {
      return !in.next();
    }

    /** Goes to the next request, which is of this kind. */
    public Connection expect(PacketCode code) throws IOException {
      PacketCode got = next();
      if (got != code) {
        throw new AssertionError("expected " + code + ", but got " + got);
      }
      return this;
    }

    /** The content of the request. */
    public PacketInput content() {
      return in;
    }

    /** The values of a system call, or of a call after its handle. */
    public @Nullable Object[] values() throws IOException {
      return reader.readSequence();
    }

    /** The tensor of a copy. */
    public org.relaxvm.rpc.wire.TensorView tensor() throws IOException {
      return reader.readTensor();
    }

    /** Answers with values. */
    public void answer(@Nullable Object... values) throws IOException {
      out.begin(PacketCode.RETURN);
      out.end(writer.writeResults(values));
    }

    /** Answers a look-up of a function. */
    public void handle(long handle) throws IOException {
      answer(new OpaquePointer(handle));
    }

    /** Answers with an error. */
    public void error(String text) throws IOException {
      out.begin(PacketCode.EXCEPTION);
      out.end(writer.writeResults(text));
    }

    /** Answers a copy. */
    public void bytes(byte[] bytes) throws IOException {
      out.begin(PacketCode.COPY_ACK);
      out.end(java.lang.foreign.MemorySegment.ofArray(bytes));
    }

    /** Sends bytes, given in hexadecimal digits with blanks. */
    public void raw(String hex) throws IOException {
      channel.write(ByteBuffer.wrap(HexFormat.of().parseHex(hex.replace(" ", ""))));
    }

    /** Reads nothing more until the client has closed. */
    public void awaitClose() throws IOException {
      while (in.next()) {
        in.skipRest();
      }
    }
  }
}
