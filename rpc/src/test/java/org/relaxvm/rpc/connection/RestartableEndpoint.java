package org.relaxvm.rpc.connection;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Endpoints of servers that are stopped and started anew. Systems take the ports of outgoing
 * connections, and those of servers that asked for any port, from 32768 up (Linux) or 49152 up; a
 * port below them is still free when its server starts again.
 */
public final class RestartableEndpoint {
  private static final int LOWEST = 20_000;
  private static final int HIGHEST = 32_768;
  private static final int ATTEMPTS = 100;

  private RestartableEndpoint() {}

  /** An endpoint of this host on which nothing listens. */
  public static Endpoint free() throws IOException {
    BindException last = new BindException();
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return new Endpoint("127.0.0.1", socket.getLocalPort());
      } catch (BindException e) {
        last = e;
      }
    }
    throw last;
  }
}
