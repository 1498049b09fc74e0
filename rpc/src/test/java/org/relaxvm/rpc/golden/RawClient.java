package org.relaxvm.rpc.golden;

import java.io.IOException;
import java.time.Duration;
import javax.net.ssl.SSLContext;
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

/** A client by hand, which sends what a well-behaved one would not. */
public final class RawClient implements AutoCloseable {
  private static final Duration SOON = Duration.ofSeconds(20);

  private final Link link;
  private final PacketInput in;
  private final PacketOutput out;
  private final ValueWriter writer;

  private RawClient(Link link) {
    this.link = link;
    this.in = new PacketInput(link, WireLimits.DEFAULT);
    this.out = new PacketOutput(link);
    this.writer = new ValueWriter(out);
  }

  /** Connects and says hello; the server agrees. */
  public static RawClient connect(Endpoint server, @Nullable SSLContext tls, String hello)
      throws IOException {
    RawClient client = new RawClient(Sockets.connect(server, tls, SOON));
    client.link.deadline(System.nanoTime() + SOON.toNanos());
    Handshake.send(client.out, Handshake.MAGIC, hello);
    int code = client.in.readBareInt();
    if (code != Handshake.SUCCESS) {
      client.close();
      throw new IOException("refused with 0x" + Integer.toHexString(code));
    }
    Handshake.readKey(client.in);
    return client;
  }

  /** Begins the session. */
  public RawClient initialize() throws IOException {
    out.begin(PacketCode.INIT_SERVER);
    out.putText("0.8.0");
    writer.writeConstructorArguments();
    out.end();
    receive();
    return this;
  }

  /** The handle of a global function. */
  public long function(String name) throws IOException {
    return ((OpaquePointer) request(PacketCode.GET_GLOBAL_FUNC, name)[0]).value();
  }

  /** Makes a system call; gives the values of the answer, or one text that begins with "!". */
  public @Nullable Object[] request(PacketCode code, @Nullable Object... values)
      throws IOException {
    out.begin(code);
    writer.writeArguments(values);
    out.end();
    return receive();
  }

  /** Asks for a call, without a wait for its answer. */
  public void call(long function, @Nullable Object... values) throws IOException {
    out.begin(PacketCode.CALL_FUNC);
    out.putLong(function);
    writer.writeArguments(values);
    out.end();
  }

  /** The values of the next answer, or one text that begins with "!" for an error. */
  public @Nullable Object[] receive() throws IOException {
    if (!in.next()) {
      throw new IOException("the server closed");
    }
    @Nullable Object[] values = new ValueReader(in).readSequence();
    if (in.code() == PacketCode.EXCEPTION.code()) {
      return new Object[] {"!" + values[0]};
    }
    return values;
  }

  /** What the server sends. */
  public PacketInput in() {
    return in;
  }

  /** What the server gets. */
  public PacketOutput out() {
    return out;
  }

  @Override
  public void close() {
    link.close();
  }
}
