package org.relaxvm.rpc.server;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.rpc.connection.ServerOptions;
import org.relaxvm.rpc.error.RpcException;
import org.relaxvm.rpc.transport.Link;
import org.relaxvm.rpc.transport.Relay;
import org.relaxvm.rpc.transport.Sockets;
import org.relaxvm.rpc.wire.PacketInput;

/**
 * A session in a process of its own: packets of the client are carried to the pipes of the process,
 * and back. The process ends with the connection, however it ends.
 */
final class ChildSession {
  private static final long GRACE_SECONDS = 5;

  /** In which what a client asked for may still be done after it left. */
  private static final Duration LEFT_TIME = Duration.ofSeconds(10);

  private final Process process;
  private final SessionFiles temporary;

  private ChildSession(Process process, SessionFiles temporary) {
    this.process = process;
    this.temporary = temporary;
  }

  /**
   * Starts the process.
   *
   * @param seconds after which the session ends; 0 for none
   */
  static ChildSession start(ServerOptions options, String peer, double seconds) {
    // A process that is killed deletes nothing.
    SessionFiles temporary = new SessionFiles(0);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Djava.io.tmpdir=" + temporary.folder());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("--sun-misc-unsafe-memory-access=deny");
    if (ModuleLayer.boot().findModule("jdk.incubator.vector").isPresent()) {
      command.add("--add-modules=jdk.incubator.vector");
    }
    addModules(command);
    command.addAll(SessionProcess.arguments(options, peer, seconds));
    try {
      return new ChildSession(
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start(),
          temporary);
    } catch (IOException e) {
      temporary.close();
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

  /**
   * Carries packets until one side ends, then ends the process. Threads of the platform carry: a
   * virtual thread that waits for a pipe takes one of a few threads that all sessions share.
   */
  void serve(Link client, PacketInput clientInput) {
    Closeable streams =
        () -> {
          process.getOutputStream().close();
          process.getInputStream().close();
        };
    Link child =
        Sockets.over(process.getInputStream(), process.getOutputStream(), streams, "session");
    boolean isOver = false;
    try (temporary) {
      try {
        Thread back = carrier(() -> Relay.carry(child, newBuffer(), client));
        ByteBuffer buffer = newBuffer();
        clientInput.takeBuffered(buffer);
        // The end of the client's packets is not the end of the answers.
        carrier(() -> Relay.carryOneWay(client, buffer, child, this::endInput)).join();
        isOver = back.join(LEFT_TIME) && process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        if (!isOver) {
          end();
        }
        child.close();
      }
    }
  }

  private static ByteBuffer newBuffer() {
    return ByteBuffer.allocateDirect(Relay.BUFFER_BYTES);
  }

  private static Thread carrier(Runnable action) {
    return Thread.ofPlatform().daemon().name("relaxvm-rpc-carrier").start(action);
  }

  private void endInput() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // The process has ended.
      process.destroy();
    }
  }

  /** Asks the process to end. */
  void stop() {
    process.destroy();
  }

  /** Ends the process; one that does not end is killed. */
  private void end() {
    stop();
    try {
      if (process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly().onExit().join();
  }
}
