package org.relaxvm.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.rpc.connection.Endpoint;
import org.relaxvm.rpc.connection.RpcOptions;
import org.relaxvm.rpc.error.RemoteCallException;
import org.relaxvm.rpc.error.RpcException;
import org.relaxvm.rpc.golden.ScriptedServer;
import org.relaxvm.rpc.golden.Transcript;

/**
 * A client that does what a recorded program did, and a server that plays the recording and
 * compares what this client sends.
 */
final class RecordedPlay {
  static final Path GOLDEN = Path.of("../../shared/golden");
  static final DeviceId CPU = DeviceId.CPU;

  private RecordedPlay() {}

  /** What a program does in the sessions that it opens. */
  @FunctionalInterface
  interface Program {
    void run(Client client) throws Exception;
  }

  /** One test for each case. */
  static Stream<DynamicTest> tests(Map<String, Program> programs) {
    Transcript.assumePresent();
    return programs.entrySet().stream()
        .map(
            entry ->
                DynamicTest.dynamicTest(
                    entry.getKey(), () -> play(entry.getKey(), ".client.", entry.getValue())));
  }

  /**
   * Plays a case.
   *
   * @param part which of its connections
   */
  static void play(String name, String part, Program program) throws Exception {
    play(name, part, UnaryOperator.identity(), program);
  }

  /**
   * Plays a case.
   *
   * @param change makes the recording what is expected of this client where it is to differ
   */
  static void play(String name, String part, UnaryOperator<Transcript> change, Program program)
      throws Exception {
    List<Transcript> transcripts =
        Transcript.ofCase(name).stream()
            .filter(file -> file.contains(part))
            .map(Transcript::read)
            .map(change)
            .toList();
    assertThat(transcripts).isNotEmpty();
    try (ScriptedServer server = new ScriptedServer(transcripts)) {
      Client client = new Client(server.endpoint());
      try {
        program.run(client);
      } catch (RpcException e) {
        // The server's comparison says better what was wrong.
        server.finish();
        throw e;
      }
      client.closeAll();
      server.finish();
    }
  }

  /** Opens sessions, and closes what a program leaves open. */
  static final class Client {
    private final Endpoint endpoint;
    private final List<AutoCloseable> open = new ArrayList<>();

    private Client(Endpoint endpoint) {
      this.endpoint = endpoint;
    }

    Endpoint endpoint() {
      return endpoint;
    }

    RpcSession connect() {
      return connect(RpcOptions.DEFAULT);
    }

    RpcSession connect(RpcOptions options, @Nullable Object... constructor) {
      return keep(RpcSession.connect(endpoint, options, constructor));
    }

    <T extends AutoCloseable> T keep(T resource) {
      open.add(resource);
      return resource;
    }

    @Nullable Object keepValue(@Nullable Object value) {
      if (value instanceof AutoCloseable resource) {
        open.add(resource);
      }
      return value;
    }

    RemoteFunction function(RpcSession session, String name) {
      return keep(session.requireFunction(name));
    }

    RemoteTensor upload(RpcSession session, Tensor tensor) {
      return keep(session.upload(tensor, CPU));
    }

    void closeAll() throws Exception {
      for (AutoCloseable resource : open.reversed()) {
        resource.close();
      }
      open.clear();
    }
  }

  static @Nullable Object golden(
      Client c, RpcSession session, String name, @Nullable Object... args) {
    return c.keepValue(c.function(session, "golden." + name).call(args));
  }

  static void fails(RemoteFunction function, String text, @Nullable Object... args) {
    assertThatThrownBy(() -> function.call(args))
        .isInstanceOf(RemoteCallException.class)
        .hasMessageContaining(text);
  }

  static void check(RemoteTensor remote, Tensor local) {
    try (Tensor copy = remote.download()) {
      assertThat(copy.dtype()).isEqualTo(local.dtype());
      assertThat(copy.shape()).isEqualTo(local.shape());
      assertThat(copy.segment().mismatch(local.segment())).isEqualTo(-1);
    }
  }

  static Tensor range(int count, long... dims) {
    float[] elements = new float[count];
    for (int i = 0; i < count; i++) {
      elements[i] = i;
    }
    return Tensor.of(elements, Shape.of(dims));
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** A value that is of a type. */
  static <T> T as(Class<T> type, @Nullable Object value) {
    assertThat(value).isInstanceOf(type);
    return type.cast(Objects.requireNonNull(value));
  }
}
