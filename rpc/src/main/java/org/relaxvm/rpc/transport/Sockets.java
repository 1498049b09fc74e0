package org.relaxvm.rpc.transport;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;
import org.relaxvm.rpc.connection.Endpoint;

/**
 * Opens connections. All send small packets at once, and ask silent peers for a sign of life, so
 * that an idle half-open connection ends within about half a minute.
 */
public final class Sockets {
  private static final int KEEP_ALIVE_IDLE_SECONDS = 15;
  private static final int KEEP_ALIVE_INTERVAL_SECONDS = 5;
  private static final int KEEP_ALIVE_PROBES = 3;

  private Sockets() {}

  /**
   * Connects.
   *
   * @param tls the certificates; null for a connection without TLS
   * @param limit for the connection and the handshake of TLS
   * @return the link, which the caller closes
   * @throws IOException when the connection is refused, the limit passes, or TLS fails
   */
  public static Link connect(Endpoint endpoint, @Nullable SSLContext tls, Duration limit)
      throws IOException {
    InetSocketAddress address = new InetSocketAddress(endpoint.host(), endpoint.port());
    if (address.isUnresolved()) {
      throw new UnknownHostException("the host name '" + endpoint.host() + "' is not known");
    }
    SocketChannel channel = SocketChannel.open();
    try {
      channel.socket().connect(address, millis(limit));
      prepare(channel);
      if (tls == null) {
        return new SocketLink(channel, endpoint.toString());
      }
      SSLSocket socket =
          (SSLSocket)
              tls.getSocketFactory()
                  .createSocket(channel.socket(), endpoint.host(), endpoint.port(), true);
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      socket.setSSLParameters(parameters);
      return handshaken(socket, channel, endpoint.toString(), limit);
    } catch (IOException | RuntimeException | Error e) {
      channel.close();
      throw e;
    }
  }

  /**
   * Takes over an accepted connection.
   *
   * @param tls the certificates, of both sides; null for a connection without TLS
   * @param limit for the handshake of TLS
   * @return the link, which the caller closes
   * @throws IOException when TLS fails; the channel is closed then
   */
  public static Link accepted(SocketChannel channel, @Nullable SSLContext tls, Duration limit)
      throws IOException {
    String peer = String.valueOf(channel.getRemoteAddress()).replaceFirst("^.*/", "");
    try {
      prepare(channel);
      if (tls == null) {
        return new SocketLink(channel, peer);
      }
      SSLSocket socket =
          (SSLSocket) tls.getSocketFactory().createSocket(channel.socket(), null, true);
      socket.setUseClientMode(false);
      socket.setNeedClientAuth(true);
      return handshaken(socket, channel, peer, limit);
    } catch (IOException | RuntimeException | Error e) {
      channel.close();
      throw e;
    }
  }

  /**
   * A connection over two streams, such as the pipes of a process.
   *
   * @param in taken over
   * @param out taken over
   * @param carrier closed with the link; closes both streams, and ends what blocks in them
   * @param peer who is at the other end, for messages
   * @return the link, which the caller closes
   */
  public static Link over(InputStream in, OutputStream out, Closeable carrier, String peer) {
    return new StreamLink(in, out, null, carrier, peer);
  }

  private static Link handshaken(
      SSLSocket socket, SocketChannel channel, String peer, Duration limit) throws IOException {
    StreamLink link =
        new StreamLink(socket.getInputStream(), socket.getOutputStream(), socket, channel, peer);
    try {
      link.deadline(System.nanoTime() + limit.toNanos());
      socket.startHandshake();
      link.deadline(Link.NEVER);
      return link;
    } catch (IOException e) {
      link.close();
      throw link.failure(e);
    }
  }

  private static void prepare(SocketChannel channel) throws IOException {
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    if (channel.supportedOptions().contains(ExtendedSocketOptions.TCP_KEEPIDLE)) {
      channel.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, KEEP_ALIVE_IDLE_SECONDS);
      channel.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, KEEP_ALIVE_INTERVAL_SECONDS);
      channel.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, KEEP_ALIVE_PROBES);
    }
  }

  private static int millis(Duration limit) {
    return Math.clamp(limit.toMillis(), 1, Integer.MAX_VALUE);
  }
}
