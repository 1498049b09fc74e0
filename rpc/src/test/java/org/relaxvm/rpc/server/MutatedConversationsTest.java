package org.relaxvm.rpc.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.relaxvm.rpc.RemoteFunction;
import org.relaxvm.rpc.RpcServer;
import org.relaxvm.rpc.RpcSession;
import org.relaxvm.rpc.connection.RpcOptions;
import org.relaxvm.rpc.connection.ServerOptions;
import org.relaxvm.rpc.golden.Transcript;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.testsupport.RandomCases;

/**
 * Conversations with changed bytes do no harm: the server answers or closes, its memory stays
 * bounded, and others are served meanwhile.
 */
@Tag("effort")
class MutatedConversationsTest {
  private static final List<String> SOURCES =
      List.of(
          "call-values",
          "call-objects",
          "call-errors",
          "tensor-life",
          "tensor-copy",
          "tensor-result",
          "syscalls-raw",
          "files",
          "time-evaluator",
          "init-errors");

  @Test
  void theServerOutlivesThem() throws IOException {
    Transcript.assumePresent();
    RandomCases cases = RandomCases.of(Effort.chosen().pick(1_500, 20_000, 100_000));
    System.out.println("mutated conversations: " + cases);
    List<List<byte[]>> conversations = new ArrayList<>();
    for (String name : SOURCES) {
      for (String part : Transcript.ofCase(name)) {
        conversations.add(
            Transcript.read(part).messages().stream()
                .filter(message -> message.client() && !message.close())
                .map(Transcript.Message::bytes)
                .toList());
      }
    }
    ServerOptions options =
        ServerOptions.DEFAULT
            .withTestFunctions(true)
            .withLimits(
                ServerOptions.Limits.DEFAULT
                    .withMemoryBytes(1 << 24)
                    .withUploadBytes(1 << 20)
                    .withHandles(1 << 10));
    try (RpcServer server = RpcServer.start(options);
        RpcSession witness = RpcSession.connect(server.endpoint(), RpcOptions.DEFAULT);
        RemoteFunction addOne = witness.requireFunction("rpc.test.addone")) {
      for (long number : cases.numbers().toArray()) {
        Random random = new Random(cases.seed() + number * 0x9E3779B97F4A7C15L);
        int source = (int) (number % conversations.size());
        play(server, mutated(conversations.get(source), random), random);
        if (number % 100 == 0) {
          assertThat(addOne.call(number)).as(cases.repeat(number)).isEqualTo(number + 1);
        }
      }
      try (RpcSession last = RpcSession.connect(server.endpoint(), RpcOptions.DEFAULT);
          RemoteFunction again = last.requireFunction("rpc.test.addone")) {
        assertThat(again.call(1)).isEqualTo(2L);
      }
    }
  }

  /** A part of a conversation in which some bytes, lengths or messages are others. */
  private static List<byte[]> mutated(List<byte[]> conversation, Random random) {
    List<byte[]> messages = new ArrayList<>();
    // Later messages matter only if the session gets that far.
    int begin = Math.min(3, conversation.size());
    int length = 1 + random.nextInt(12);
    messages.addAll(conversation.subList(0, begin));
    int at = begin + random.nextInt(Math.max(1, conversation.size() - begin));
    messages.addAll(conversation.subList(at, Math.min(conversation.size(), at + length)));
    int changes = 1 + random.nextInt(3);
    for (int i = 0; i < changes; i++) {
      int which = random.nextInt(messages.size());
      messages.set(which, change(messages.get(which), random));
    }
    return messages;
  }

  private static byte[] change(byte[] message, Random random) {
    byte[] changed = message.clone();
    if (changed.length == 0) {
      return changed;
    }
    ByteBuffer buffer = ByteBuffer.wrap(changed).order(ByteOrder.LITTLE_ENDIAN);
    int at = random.nextInt(changed.length);
    switch (random.nextInt(7)) {
      case 0 -> changed[at] ^= (byte) (1 << random.nextInt(8));
      case 1 -> changed[at] = (byte) random.nextInt();
      case 2 -> {
        if (changed.length >= Long.BYTES) {
          buffer.putLong(0, random.nextInt(200));
        }
      }
      case 3 -> {
        if (changed.length >= at + Long.BYTES) {
          buffer.putLong(at, interesting(random));
        }
      }
      case 4 -> {
        if (changed.length >= at + Integer.BYTES) {
          buffer.putInt(at, (int) interesting(random));
        }
      }
      case 5 -> changed = java.util.Arrays.copyOf(changed, random.nextInt(changed.length));
      default -> {
        byte[] twice = java.util.Arrays.copyOf(changed, changed.length * 2);
        System.arraycopy(changed, 0, twice, changed.length, changed.length);
        changed = twice;
      }
    }
    return changed;
  }

  private static long interesting(Random random) {
    long[] values = {
      0,
      1,
      -1,
      Integer.MAX_VALUE,
      Integer.MIN_VALUE,
      Long.MAX_VALUE,
      Long.MIN_VALUE,
      64,
      65,
      72,
      1L << 32,
      1L << 40,
      0x1000,
      0x1040,
      115,
      random.nextLong()
    };
    return values[random.nextInt(values.length)];
  }

  private static void play(RpcServer server, List<byte[]> messages, Random random)
      throws IOException {
    try (Socket socket = new Socket(server.endpoint().host(), server.endpoint().port())) {
      socket.setSoTimeout(20_000);
      for (byte[] message : messages) {
        socket.getOutputStream().write(message);
      }
      if (random.nextInt(4) > 0) {
        // The server sees the end of the conversation and answers what it can.
        socket.shutdownOutput();
        drain(socket.getInputStream());
      }
    } catch (java.net.SocketException e) {
      // The server closed the connection before all was sent.
      assertThat(e.getMessage()).containsAnyOf("Broken pipe", "reset", "closed");
    }
  }

  private static void drain(InputStream in) throws IOException {
    byte[] buffer = new byte[1 << 16];
    while (in.read(buffer) >= 0) {}
  }
}
