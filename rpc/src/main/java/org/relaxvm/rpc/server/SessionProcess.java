package org.relaxvm.rpc.server;

import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.rpc.connection.NativeCode;
import org.relaxvm.rpc.connection.ServerOptions;
import org.relaxvm.rpc.transport.Link;
import org.relaxvm.rpc.transport.Sockets;

/**
 * The process of one session: packets come from its input, answers go to its output. It ends with
 * its input.
 */
public final class SessionProcess {
  private SessionProcess() {}

  /** What the process is started with. */
  static List<String> arguments(ServerOptions options, String peer, double seconds) {
    ServerOptions.Limits limits = options.limits();
    return List.of(
        peer,
        String.valueOf(seconds),
        String.join(",", options.devices()),
        String.valueOf(options.allowHops()),
        String.valueOf(options.testFunctions()),
        String.valueOf(limits.memoryBytes()),
        String.valueOf(limits.uploadBytes()),
        String.valueOf(limits.valueBytes()),
        String.valueOf(limits.handles()),
        limits.helloTime().toString());
  }

  /** Serves the session. */
  public static void main(String[] args) throws IOException {
    // Whatever prints must not print into the packets.
    System.setOut(System.err);
    ServerOptions.Limits limits =
        new ServerOptions.Limits(
            1,
            Long.parseLong(args[5]),
            Long.parseLong(args[6]),
            Long.parseLong(args[7]),
            Integer.parseInt(args[8]),
            Duration.ZERO,
            Duration.parse(args[9]));
    ServerOptions options =
        ServerOptions.DEFAULT
            .withNativeCode(NativeCode.IN_PROCESS)
            .withDevices(args[2].isEmpty() ? List.of() : List.of(args[2].split(",")))
            .withAllowHops(Boolean.parseBoolean(args[3]))
            .withTestFunctions(Boolean.parseBoolean(args[4]))
            .withLimits(limits);
    FileInputStream in = new FileInputStream(FileDescriptor.in);
    BufferedOutputStream out = new BufferedOutputStream(new FileOutputStream(FileDescriptor.out));
    try (BackendRegistry registry = BackendRegistry.discover();
        Link link =
            Sockets.over(
                in,
                out,
                () -> {
                  in.close();
                  out.close();
                },
                args[0])) {
      SessionFactory sessions = new SessionFactory(options, registry);
      sessions.serveGreeted(link, Double.parseDouble(args[1]));
      sessions.stopAll();
    }
  }
}
