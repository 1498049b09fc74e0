package org.relaxvm.rpc.server;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.rpc.connection.ServerOptions;
import org.relaxvm.rpc.error.RpcException;
import org.relaxvm.rpc.transport.Link;
import org.relaxvm.rpc.transport.Pipes;
import org.relaxvm.rpc.transport.Relay;
import org.relaxvm.rpc.wire.PacketInput;

/**
 * A session in a process of its own: packets of the client are carried to the pipes of the process,
 * and back. The process ends with the connection, however it ends.
 */
final class ChildSession {
  private static final long GRACE_SECONDS = 5;

  private final Process process;

  private ChildSession(Process process) {
    this.process = process;
  }

  /**
   * Starts the process.
   *
   * @param seconds after which the session ends; 0 for none
   */
  static ChildSession start(ServerOptions options, String peer, double seconds) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("--sun-misc-unsafe-memory-access=deny");
    if (ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent()) {
      command.add("--add-modules=jdk.incubator.vector");
    }
    addModules(command);
    command.addAll(SessionProcess.arguments(options, peer, seconds));
    try {
      return new ChildSession(
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    } catch (IOException e) {
      throw new RpcException(
          ErrorKind.RUNTIME, "the process of a session cannot be started: " + e.getMessage(), e);
    }
  }

  /** As this process was started: on the class path or on the module path. */
  private static void addModules(List<String> command) {
    String main = SessionProcess.class.getName();
    Module own = SessionProcess.class.getModule();
    String classPath = System.getProperty("java.class.path", "");
    if (!classPath.isEmpty()) {
      command.add("-cp");
      command.add(classPath);
    }
    if (own.isNamed()) {
      command.add("-p");
      command.add(System.getProperty("jdk.module.path", ""));
      command.add("--add-modules=ALL-MODULE-PATH");
      command.add("-m");
      command.add(own.getName() + "/" + main);
    } else {
      command.add(main);
    }
  }

  /** Carries packets until one side ends, then ends the process. */
  void serve(Link client, PacketInput clientInput) {
    Closeable streams =
        () -> {
          process.getOutputStream().close();
          process.getInputStream().close();
        };
    try (Link child =
        Pipes.of(process.getInputStream(), process.getOutputStream(), streams, "session")) {
      Thread back =
          Thread.ofVirtual()
              .start(
                  () -> Relay.carry(child, ByteBuffer.allocateDirect(Relay.BUFFER_BYTES), client));
      ByteBuffer buffer = ByteBuffer.allocateDirect(Relay.BUFFER_BYTES);
      clientInput.takeBuffered(buffer);
      // The end of the client's packets is not the end of the answers.
      Relay.carryOneWay(client, buffer, child, this::endInput);
      back.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      stop();
    }
  }

  private void endInput() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // The process has ended.
      process.destroy();
    }
  }

  /** Ends the process; one that does not end is killed. */
  void stop() {
    try {
      if (!process.waitFor(process.isAlive() ? 0 : 1, TimeUnit.SECONDS)) {
        process.destroy();
        if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
