package org.relaxvm.rpc.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.rpc.connection.Endpoint;
import org.relaxvm.rpc.transport.Link;
import org.relaxvm.rpc.transport.Relay;
import org.relaxvm.rpc.transport.Sockets;
import org.relaxvm.rpc.wire.Handshake;
import org.relaxvm.rpc.wire.PacketCode;
import org.relaxvm.rpc.wire.PacketInput;
import org.relaxvm.rpc.wire.PacketOutput;
import org.relaxvm.rpc.wire.ValueReader;
import org.relaxvm.rpc.wire.ValueWriter;
import org.relaxvm.rpc.wire.WireException;
import org.relaxvm.rpc.wire.WireLimits;

/**
 * The session of a client that asked for one on a further server, with the constructor {@code
 * rpc.Connect}. Its packets are carried there and back as they are: handles are those of that
 * server.
 *
 * <p>Source: docs/spec/rpc-protocol.md, section 7.
 */
final class FurtherServer {
  static final String CONSTRUCTOR = "rpc.Connect";
  private static final int FIRST_FURTHER_ARGUMENT = 5;

  private final Link link;
  private final PacketInput in;

  private FurtherServer(Link link, PacketInput in) {
    this.link = link;
    this.in = in;
  }

  /**
   * Connects as a constructor says: host, port, key, a flag, and the constructor of that session.
   *
   * @throws CallException with the reason when there is no session
   */
  static FurtherServer connect(@Nullable Object[] constructor, Duration limit) {
    if (constructor.length < FIRST_FURTHER_ARGUMENT - 1
        || !(constructor[1] instanceof String host)
        || !(constructor[2] instanceof Long port)
        || !(constructor[3] instanceof String key)) {
      throw new CallException(
          ErrorKind.TYPE, CONSTRUCTOR + " takes a host, a port, a key and further arguments");
    }
    int from = Math.min(FIRST_FURTHER_ARGUMENT, constructor.length);
    @Nullable Object[] further = Arrays.copyOfRange(constructor, from, constructor.length);
    String where = host + ":" + port;
    try {
      Endpoint endpoint = new Endpoint(host, Math.toIntExact(port));
      Link link = Sockets.connect(endpoint, null, limit);
      boolean done = false;
      try {
        link.deadline(System.nanoTime() + limit.toNanos());
        PacketInput in = new PacketInput(link, WireLimits.DEFAULT);
        begin(in, new PacketOutput(link), key, further);
        link.deadline(Link.NEVER);
        done = true;
        return new FurtherServer(link, in);
      } finally {
        if (!done) {
          link.close();
        }
      }
    } catch (IOException | ArithmeticException e) {
      throw new CallException(
          ErrorKind.RUNTIME,
          "no session on the further server " + where + ": " + e.getMessage(),
          e);
    }
  }

  private static void begin(
      PacketInput in, PacketOutput out, String key, @Nullable Object[] constructor)
      throws IOException {
    Handshake.send(out, Handshake.MAGIC, "client:" + key);
    if (in.readBareInt() != Handshake.SUCCESS) {
      throw new WireException("it refuses the key '" + key + "'");
    }
    Handshake.readKey(in);
    out.begin(PacketCode.INIT_SERVER);
    out.putText(ServerSession.PROTOCOL_VERSION);
    new ValueWriter(out).writeConstructorArguments(constructor);
    out.end();
    if (!in.next()) {
      throw new WireException("it closed the connection");
    }
    @Nullable Object[] answer = new ValueReader(in).readSequence();
    if (in.code() != PacketCode.RETURN.code()) {
      throw new WireException(answer.length == 1 ? String.valueOf(answer[0]) : "no session");
    }
  }

  /** Carries what the client sends, and what comes back, until one side ends. */
  void serve(Link client, PacketInput clientInput) {
    Thread back =
        Thread.ofVirtual()
            .start(
                () -> {
                  ByteBuffer buffer = ByteBuffer.allocateDirect(Relay.BUFFER_BYTES);
                  in.takeBuffered(buffer);
                  Relay.carry(link, buffer, client);
                });
    ByteBuffer buffer = ByteBuffer.allocateDirect(Relay.BUFFER_BYTES);
    clientInput.takeBuffered(buffer);
    Relay.carry(client, buffer, link);
    try {
      back.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends the connection to that server. */
  void close() {
    link.close();
  }
}
