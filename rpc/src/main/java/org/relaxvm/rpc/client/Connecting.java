package org.relaxvm.rpc.client;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.rpc.connection.Endpoint;
import org.relaxvm.rpc.connection.RpcOptions;
import org.relaxvm.rpc.error.RpcConnectException;
import org.relaxvm.rpc.error.RpcException;
import org.relaxvm.rpc.error.RpcProtocolException;
import org.relaxvm.rpc.error.RpcTimeoutException;
import org.relaxvm.rpc.transport.Link;
import org.relaxvm.rpc.transport.LinkTimeoutException;
import org.relaxvm.rpc.transport.Sockets;
import org.relaxvm.rpc.wire.Handshake;
import org.relaxvm.rpc.wire.PacketInput;
import org.relaxvm.rpc.wire.PacketOutput;
import org.relaxvm.rpc.wire.WireException;
import org.relaxvm.rpc.wire.WireLimits;

/**
 * Opens conversations: connection, handshake, first request. Source: docs/spec/rpc-protocol.md,
 * section 1.
 */
public final class Connecting {
  private Connecting() {}

  /**
   * A conversation that has begun.
   *
   * @param serverKey as the server gave it
   */
  public record Connected(Calls calls, String serverKey) {}

  /**
   * Connects to a server.
   *
   * @throws RpcException when no session is made, with the reason
   */
  public static Connected connect(
      Endpoint endpoint, RpcOptions options, @Nullable Object... constructor) {
    Link link;
    try {
      link = Sockets.connect(endpoint, options.tls(), options.connectTimeout());
    } catch (IOException e) {
      throw notConnected(endpoint, options, e);
    }
    return over(link, options, constructor);
  }

  /** A conversation over a connection, which it takes over. */
  public static Connected over(Link link, RpcOptions options, @Nullable Object... constructor) {
    PacketInput in = new PacketInput(link, WireLimits.DEFAULT);
    PacketOutput out = new PacketOutput(link);
    String key;
    boolean done = false;
    try {
      link.deadline(System.nanoTime() + options.connectTimeout().toNanos());
      Handshake.send(out, Handshake.MAGIC, clientKey(options));
      key = readWelcome(in, link, options);
      link.deadline(Link.NEVER);
      done = true;
    } catch (IOException e) {
      throw noWelcome(link, options, e);
    } finally {
      if (!done) {
        link.close();
      }
    }
    return initialized(link, in, out, options, key, constructor);
  }

  /**
   * A conversation with a server that speaks over a connection without a handshake, such as the
   * pipes of a program.
   *
   * @param link taken over
   */
  public static Connected overPipe(Link link, RpcOptions options) {
    PacketInput in = new PacketInput(link, WireLimits.DEFAULT);
    return initialized(link, in, new PacketOutput(link), options, "");
  }

  /** Until the session is made, the limit of connecting applies. */
  private static Connected initialized(
      Link link,
      PacketInput in,
      PacketOutput out,
      RpcOptions options,
      String serverKey,
      @Nullable Object... constructor) {
    Conversation conversation = new Conversation(link, in, out, options.connectTimeout());
    Calls calls = new Calls(conversation);
    boolean done = false;
    try {
      checkConstructor(constructor);
      calls.initialize(constructor);
      conversation.limit(options.callTimeout());
      done = true;
      return new Connected(calls, serverKey);
    } catch (RpcTimeoutException e) {
      throw e.getCause() instanceof LinkTimeoutException cause
          ? late(link.peer(), options, cause)
          : e;
    } finally {
      if (!done) {
        conversation.close();
      }
    }
  }

  private static void checkConstructor(@Nullable Object... constructor) {
    for (int i = 0; i < constructor.length; i++) {
      switch (constructor[i]) {
        case null -> {}
        case Integer _, Long _, Boolean _, Double _, String _, byte[] _ -> {}
        case Object other ->
            throw new RpcException(
                ErrorKind.TYPE,
                "argument #"
                    + i
                    + " of the session constructor cannot be sent: it is "
                    + other.getClass().getSimpleName()
                    + "\n"
                    + "  expected: integers, booleans, floating-point numbers, strings and"
                    + " bytes");
      }
    }
  }

  private static String clientKey(RpcOptions options) {
    StringBuilder key = new StringBuilder("client:").append(options.key());
    if (!options.sessionTimeout().isZero()) {
      double seconds = options.sessionTimeout().toNanos() / 1e9;
      boolean whole = seconds == Math.rint(seconds);
      key.append(" -timeout=").append(whole ? String.valueOf((long) seconds) : seconds);
    }
    if (!options.token().isEmpty()) {
      if (options.token().chars().anyMatch(Character::isWhitespace)) {
        throw new RpcException(
            ErrorKind.VALUE, "the token contains a blank, which ends options in the protocol");
      }
      key.append(" -token=").append(options.token());
    }
    return key.toString();
  }

  private static String readWelcome(PacketInput in, Link link, RpcOptions options)
      throws IOException {
    int code = in.readBareInt();
    return switch (code) {
      case Handshake.SUCCESS -> Handshake.readKey(in);
      case Handshake.MISMATCH ->
          throw new RpcConnectException(
              "the server "
                  + link.peer()
                  + " refuses the key '"
                  + options.key()
                  + "'"
                  + (options.token().isEmpty() ? " without a token" : " with this token")
                  + "\n  what to do: give the key and the token that the server was started with"
                  + " (--key, --token); ask the tracker for a server that has one (--tracker)");
      case Handshake.DUPLICATE ->
          throw new RpcConnectException(
              "another peer with the key '"
                  + options.key()
                  + "' waits at "
                  + link.peer()
                  + " already\n  what to do: choose another key, or wait");
      default ->
          throw new RpcProtocolException(
              link.peer()
                  + " is no RPC server\n  expected: one of 0x"
                  + Integer.toHexString(Handshake.SUCCESS)
                  + ", 0x"
                  + Integer.toHexString(Handshake.DUPLICATE)
                  + ", 0x"
                  + Integer.toHexString(Handshake.MISMATCH)
                  + "\n  got: 0x"
                  + Integer.toHexString(code)
                  + "\n  what to do: check the port; a tracker is named with --tracker");
    };
  }

  private static RpcException notConnected(
      Endpoint endpoint, RpcOptions options, IOException cause) {
    return switch (cause) {
      case SocketTimeoutException e -> late(endpoint.toString(), options, e);
      case LinkTimeoutException e -> late(endpoint.toString(), options, e);
      case UnknownHostException e ->
          new RpcConnectException(
              e.getMessage() + "\n  what to do: check the address " + endpoint, e);
      case ConnectException e ->
          new RpcConnectException(
              "cannot connect to "
                  + endpoint
                  + ": "
                  + e.getMessage()
                  + "\n  what to do: check the address, or start a server there: relaxvm rpc server"
                  + " --port "
                  + endpoint.port(),
              e);
      case SSLException e ->
          new RpcConnectException(
              "TLS with "
                  + endpoint
                  + " failed: "
                  + e.getMessage()
                  + "\n  what to do: check that both sides use TLS and trust the certificate of"
                  + " each other",
              e);
      default ->
          new RpcConnectException(
              "cannot connect to " + endpoint + ": " + cause.getMessage(), cause);
    };
  }

  private static RpcTimeoutException late(String peer, RpcOptions options, IOException cause) {
    return new RpcTimeoutException(
        peer
            + " did not answer within "
            + options.connectTimeout().toMillis()
            + " ms\n  what to do: check the address, or raise the limit"
            + " (RpcOptions.withConnectTimeout)",
        cause);
  }

  private static RpcException noWelcome(Link link, RpcOptions options, IOException cause) {
    return switch (cause) {
      case LinkTimeoutException e -> late(link.peer(), options, e);
      case WireException e ->
          new RpcProtocolException(link.peer() + " is no RPC server: it sent " + e.getMessage(), e);
      default ->
          new RpcConnectException(
              link.peer()
                  + " closed the connection instead of a welcome ("
                  + cause.getMessage()
                  + ")\n  what to do: check that it is an RPC server, and whether it demands TLS",
              cause);
    };
  }
}
