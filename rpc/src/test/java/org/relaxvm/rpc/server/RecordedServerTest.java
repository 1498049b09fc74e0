package org.relaxvm.rpc.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.relaxvm.rpc.RpcServer;
import org.relaxvm.rpc.RpcSession;
import org.relaxvm.rpc.connection.NativeCode;
import org.relaxvm.rpc.connection.RpcOptions;
import org.relaxvm.rpc.connection.ServerOptions;
import org.relaxvm.rpc.error.RemoteCallException;
import org.relaxvm.rpc.golden.Transcript;
import org.relaxvm.rpc.golden.Transcript.Handle;
import org.relaxvm.rpc.golden.Transcript.Message;
import org.relaxvm.rpc.golden.Transcript.Range;
import org.relaxvm.rpc.wire.PacketCode;

/**
 * What Apache TVM's client sent is sent to this server, whose answers must be those of the original
 * outside of handles, of what differs each time, and of the differences that this class names.
 */
class RecordedServerTest {
  private static final int CODE_OFFSET = Long.BYTES;
  private static final int TEXT_OFFSET = 28;

  /** Texts of the original that speak of Python or of a search for loaders. */
  private static final List<String> OWN_TEXTS =
      List.of(
          "positional argument",
          "'message of KeyError'",
          "Loader for `.bin` files",
          "Device does not support allocate data space",
          "Cannot convert from type",
          "pf.has_value()");

  @TestFactory
  Stream<DynamicTest> answersAreThoseOfTheOriginal() {
    Transcript.assumePresent();
    return Stream.of(
            "handshake-ok",
            "handshake-key",
            "handshake-wrong-key",
            "handshake-bad-magic",
            "session-constructor",
            "init-errors",
            "request-before-init",
            "empty-packets",
            "shutdown",
            "abrupt-close",
            "timeout-expires",
            "call-scalars",
            "call-values",
            "call-objects",
            "call-refused",
            "call-errors",
            "files",
            "module-load",
            "tensor-life",
            "tensor-scope",
            "tensor-copy",
            "tensor-1mib",
            "tensor-result",
            "tensor-echo",
            "syscalls-raw",
            "time-evaluator",
            "vm-stateful",
            "vm-tuples",
            "vm-saved-function",
            "vm-two-clients")
        .map(name -> DynamicTest.dynamicTest(name, () -> replayCase(name)));
  }

  @Test
  void aProcessOfItsOwnAnswersAlike() throws IOException {
    Transcript.assumePresent();
    ServerOptions options =
        ServerOptions.DEFAULT.withNativeCode(NativeCode.IN_CHILD_PROCESS).withTestFunctions(true);
    try (RpcServer server = RpcServer.start(options)) {
      for (String name : List.of("call-errors", "tensor-1mib", "vm-stateful", "abrupt-close")) {
        for (String part : Transcript.ofCase(name)) {
          new Replay(name, Transcript.read(part)).run(server);
        }
      }
    }
  }

  /** The server between a client and a further server. */
  @Test
  void aSessionOnAFurtherServerIsTheRecordedOne() throws IOException {
    Transcript.assumePresent();
    ServerOptions far = ServerOptions.DEFAULT.withTestFunctions(true);
    try (RpcServer behind = RpcServer.start(far);
        RpcServer server = RpcServer.start(ServerOptions.DEFAULT.withAllowHops(true))) {
      new Replay("two-hops", Transcript.read("two-hops.client.0"))
          .withPort(behind.endpoint().port())
          .run(server);
    }
  }

  @Test
  void aFurtherServerMustBeAllowed() {
    ServerOptions far = ServerOptions.DEFAULT.withTestFunctions(true);
    try (RpcServer behind = RpcServer.start(far);
        RpcServer server = RpcServer.start(ServerOptions.DEFAULT)) {
      assertThatThrownBy(
              () ->
                  RpcSession.connect(
                      server.endpoint(),
                      RpcOptions.DEFAULT,
                      "rpc.Connect",
                      behind.endpoint().host(),
                      behind.endpoint().port(),
                      "",
                      false))
          .isInstanceOf(RemoteCallException.class)
          .hasMessageContaining("there is no session constructor 'rpc.Connect'");
    }
  }

  @Test
  void aFurtherServerThatIsNotThereIsNamed() {
    try (RpcServer server = RpcServer.start(ServerOptions.DEFAULT.withAllowHops(true))) {
      assertThatThrownBy(
              () ->
                  RpcSession.connect(
                      server.endpoint(),
                      RpcOptions.DEFAULT,
                      "rpc.Connect",
                      "127.0.0.1",
                      1,
                      "",
                      false))
          .isInstanceOf(RemoteCallException.class)
          .hasMessageContaining("no session on the further server 127.0.0.1:1: Connection refused");
    }
  }

  private static void replayCase(String name) throws IOException {
    Map<?, ?> recorded = (Map<?, ?>) Objects.requireNonNull(Transcript.cases().get(name));
    String key = String.valueOf(recorded.get("key"));
    ServerOptions options =
        ServerOptions.DEFAULT
            .withKey(key)
            .withNativeCode(NativeCode.IN_PROCESS)
            .withTestFunctions(true);
    try (RpcServer server = RpcServer.start(options)) {
      for (String part : Transcript.ofCase(name)) {
        new Replay(name, Transcript.read(part)).run(server);
      }
    }
  }

  /** One connection. */
  private static final class Replay {
    private final String name;
    private final Transcript transcript;
    private final Map<String, Long> handles = new HashMap<>();
    private int port;

    Replay(String name, Transcript transcript) {
      this.name = name;
      this.transcript = transcript;
    }

    /** Names the further server in the first request. */
    Replay withPort(int number) {
      port = number;
      return this;
    }

    void run(RpcServer server) throws IOException {
      try (Socket socket = new Socket(server.endpoint().host(), server.endpoint().port())) {
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(20_000);
        DataInputStream in = new DataInputStream(socket.getInputStream());
        boolean first = true;
        for (Message message : transcript.messages()) {
          if (message.client()) {
            if (message.close()) {
              if (!socket.isOutputShutdown()) {
                socket.shutdownOutput();
              }
            } else {
              send(socket, message);
            }
          } else if (message.close()) {
            continue;
          } else {
            compare(message, first ? hello(in, message) : packet(in));
            first = false;
          }
        }
        assertThat(ends(in)).as("%s: the server closes at the end", transcript.name()).isTrue();
      }
    }

    private void send(Socket socket, Message message) throws IOException {
      ByteBuffer bytes = ByteBuffer.wrap(message.bytes().clone()).order(ByteOrder.LITTLE_ENDIAN);
      for (Handle handle : message.handles()) {
        bytes.putLong(handle.offset(), handles.getOrDefault(handle.name(), 0L));
      }
      if (port > 0 && message.words().startsWith("InitServer")) {
        String text = new String(bytes.array(), StandardCharsets.ISO_8859_1);
        bytes.putLong(text.indexOf("127.0.0.1") + "127.0.0.1".length() + Integer.BYTES, port);
      }
      try {
        socket.getOutputStream().write(bytes.array());
      } catch (SocketException e) {
        // The original's client writes to a server that has ended the session, too.
        assertThat(name).isIn("timeout-expires");
      }
    }

    private static byte[] hello(DataInputStream in, Message expected) throws IOException {
      return in.readNBytes(expected.bytes().length);
    }

    private static byte[] packet(DataInputStream in) throws IOException {
      byte[] length = in.readNBytes(Long.BYTES);
      if (length.length < Long.BYTES) {
        throw new EOFException("the server closed");
      }
      int size = (int) ByteBuffer.wrap(length).order(ByteOrder.LITTLE_ENDIAN).getLong();
      byte[] all = Arrays.copyOf(length, Long.BYTES + size);
      in.readFully(all, Long.BYTES, size);
      return all;
    }

    private static boolean ends(DataInputStream in) throws IOException {
      try {
        return in.read() < 0;
      } catch (SocketException e) {
        return true;
      }
    }

    private void compare(Message expected, byte[] got) {
      String where = transcript.name() + ", " + expected.words();
      if (code(expected.bytes()) == PacketCode.EXCEPTION.code()
          && expected.bytes().length >= TEXT_OFFSET) {
        assertThat(code(got))
            .as(where + " but " + text(got))
            .isEqualTo(PacketCode.EXCEPTION.code());
        compareText(where, text(expected.bytes()), text(got));
        return;
      }
      byte[] masked = got.clone();
      byte[] wanted = expected.bytes().clone();
      if (name.equals("tensor-echo") && expected.words().startsWith("Return int 7,")) {
        assertThat(ByteBuffer.wrap(got).order(ByteOrder.LITTLE_ENDIAN).getLong(20)).isEqualTo(70);
        return;
      }
      ByteBuffer received = ByteBuffer.wrap(got).order(ByteOrder.LITTLE_ENDIAN);
      for (Handle handle : expected.handles()) {
        assertThat(got.length).as(where).isGreaterThanOrEqualTo(handle.offset() + Long.BYTES);
        handles.put(handle.name(), received.getLong(handle.offset()));
        mask(masked, wanted, handle.offset(), Long.BYTES);
      }
      for (Range range : expected.variable()) {
        mask(masked, wanted, range.offset(), range.length());
      }
      assertThat(HexFormat.of().formatHex(masked))
          .as(() -> where + (code(got) == 5 ? " but " + text(got) : ""))
          .isEqualTo(HexFormat.of().formatHex(wanted));
    }

    private static void mask(byte[] got, byte[] wanted, int offset, int length) {
      Arrays.fill(wanted, offset, offset + length, (byte) 0);
      if (got.length >= offset + length) {
        Arrays.fill(got, offset, offset + length, (byte) 0);
      }
    }

    /** Ours begins with the kind; the text of the original follows, without its check. */
    private void compareText(String where, String expected, String got) {
      if (expected.startsWith("RPCSessionTimeoutError: Your")) {
        assertThat(got).as(where).isEqualTo(expected);
        return;
      }
      assertThat(got).as(where).matches("(?s)[A-Za-z]+Error: .*");
      String message =
          expected
              .replaceFirst("^Check failed: (\\(.*?\\) is false: ?|[^:]*==[^:]* : )?", "")
              .replace("SockServerLoop", "relaxvm")
              .replaceFirst("/rpc/session-001/.*", "")
              .replaceFirst("^RPCError: Error caught from RPC call:\n", "")
              .strip();
      if (OWN_TEXTS.stream().noneMatch(message::contains)) {
        assertThat(got.replaceFirst("^[A-Za-z]+Error: ", "")).as(where).contains(message);
      }
    }

    private static int code(byte[] packet) {
      return packet.length < CODE_OFFSET + Integer.BYTES
          ? -1
          : ByteBuffer.wrap(packet).order(ByteOrder.LITTLE_ENDIAN).getInt(CODE_OFFSET);
    }

    private static String text(byte[] packet) {
      return packet.length < TEXT_OFFSET
          ? ""
          : new String(packet, TEXT_OFFSET, packet.length - TEXT_OFFSET, StandardCharsets.UTF_8);
    }
  }
}
