package org.relaxvm.rpc.golden;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.relaxvm.rpc.connection.Endpoint;
import org.relaxvm.rpc.golden.Transcript.Message;
import org.relaxvm.rpc.golden.Transcript.Range;
import org.relaxvm.rpc.wire.PacketCode;

/**
 * Plays the server's side of recorded connections, one after another, and checks what the client
 * sends. Handles are given back whenever the client likes, each once.
 */
public final class ScriptedServer implements AutoCloseable {
  private static final int CODE_OFFSET = Long.BYTES;
  private static final byte[] RETURN_NONE =
      HexFormat.of().parseHex("0c00000000000000040000000100000000000000");

  private final ServerSocket listener;
  private final CompletableFuture<Void> done = new CompletableFuture<>();

  /** Starts to play. */
  public ScriptedServer(List<Transcript> transcripts) throws IOException {
    listener = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                for (Transcript transcript : transcripts) {
                  try (Socket socket = listener.accept()) {
                    new Play(transcript, socket).run();
                  }
                }
                done.complete(null);
              } catch (IOException | AssertionError | RuntimeException e) {
                done.completeExceptionally(e);
              }
            });
  }

  /** Where it listens. */
  public Endpoint endpoint() {
    return new Endpoint("127.0.0.1", listener.getLocalPort());
  }

  /** Waits until all was played; fails as the comparison failed. */
  public void finish() throws Exception {
    try {
      done.get(20, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw e;
    } catch (TimeoutException e) {
      throw new AssertionError("the client did not play its part to the end", e);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }

  private static int code(byte[] packet) {
    return packet.length < CODE_OFFSET + Integer.BYTES
        ? -1
        : ByteBuffer.wrap(packet).order(ByteOrder.LITTLE_ENDIAN).getInt(CODE_OFFSET);
  }

  private static boolean isFree(byte[] packet) {
    int code = code(packet);
    return code == PacketCode.FREE_HANDLE.code() || code == PacketCode.DEV_FREE_DATA.code();
  }

  /** One connection. */
  private static final class Play {
    private final Transcript transcript;
    private final Socket socket;
    private final DataInputStream in;
    private final List<String> expectedFrees = new ArrayList<>();
    private final List<String> frees = new ArrayList<>();

    Play(Transcript transcript, Socket socket) throws IOException {
      this.transcript = transcript;
      this.socket = socket;
      this.in = new DataInputStream(socket.getInputStream());
      socket.setSoTimeout(15_000);
    }

    void run() throws IOException {
      boolean first = true;
      int skippedAnswers = 0;
      List<Message> messages = transcript.messages();
      int lastAnswer = -1;
      for (int i = 0; i < messages.size(); i++) {
        lastAnswer = messages.get(i).client() || messages.get(i).close() ? lastAnswer : i;
      }
      for (int i = 0; i < messages.size(); i++) {
        Message message = messages.get(i);
        if (message.close()) {
          if (!message.client() && i > lastAnswer) {
            // What the client sends to a server that is gone may be sent or not.
            return;
          }
        } else if (message.client() && !first && isFree(message.bytes())) {
          expectedFrees.add(HexFormat.of().formatHex(message.bytes()));
          skippedAnswers++;
        } else if (message.client()) {
          compare(message, first ? in.readNBytes(message.bytes().length) : packet());
          first = false;
        } else if (skippedAnswers > 0 && Arrays.equals(message.bytes(), RETURN_NONE)) {
          skippedAnswers--;
        } else {
          socket.getOutputStream().write(message.bytes());
        }
      }
      readToTheEnd();
      assertThat(frees)
          .as("%s: each handle is given back once", transcript.name())
          .containsExactlyInAnyOrderElementsOf(expectedFrees);
    }

    /** A client that closes the connection may or may not say goodbye. */
    private void readToTheEnd() throws IOException {
      try {
        assertThat(code(packet())).as(transcript.name()).isEqualTo(PacketCode.SHUTDOWN.code());
        packet();
      } catch (EOFException | SocketException e) {
        return;
      }
      throw new AssertionError(transcript.name() + ": a request after the goodbye");
    }

    private byte[] packet() throws IOException {
      while (true) {
        byte[] length = in.readNBytes(Long.BYTES);
        if (length.length < Long.BYTES) {
          throw new EOFException("the client closed");
        }
        int size = (int) ByteBuffer.wrap(length).order(ByteOrder.LITTLE_ENDIAN).getLong();
        byte[] all = Arrays.copyOf(length, Long.BYTES + size);
        in.readFully(all, Long.BYTES, size);
        if (!isFree(all)) {
          return all;
        }
        frees.add(HexFormat.of().formatHex(all));
        socket.getOutputStream().write(RETURN_NONE);
      }
    }

    private void compare(Message expected, byte[] got) {
      byte[] masked = got.clone();
      byte[] wanted = expected.bytes().clone();
      for (Range range : expected.variable()) {
        Arrays.fill(wanted, range.offset(), range.offset() + range.length(), (byte) 0);
        if (masked.length >= range.offset() + range.length()) {
          Arrays.fill(masked, range.offset(), range.offset() + range.length(), (byte) 0);
        }
      }
      assertThat(HexFormat.of().formatHex(masked))
          .as("%s, %s", transcript.name(), expected.words())
          .isEqualTo(HexFormat.of().formatHex(wanted));
    }
  }
}
