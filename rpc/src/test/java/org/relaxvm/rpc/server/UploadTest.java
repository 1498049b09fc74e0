package org.relaxvm.rpc.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.Shape;
import org.relaxvm.api.error.CallException;
import org.relaxvm.rpc.RemoteFunction;
import org.relaxvm.rpc.RemoteModule;
import org.relaxvm.rpc.RemoteTensor;
import org.relaxvm.rpc.RemoteVm;
import org.relaxvm.rpc.RpcServer;
import org.relaxvm.rpc.RpcSession;
import org.relaxvm.rpc.connection.RpcOptions;
import org.relaxvm.rpc.connection.ServerOptions;
import org.relaxvm.rpc.error.RemoteCallException;
import org.relaxvm.rpc.golden.RawClient;
import org.relaxvm.rpc.transport.Link;
import org.relaxvm.rpc.wire.PacketInput;
import org.relaxvm.rpc.wire.TypeIndex;
import org.relaxvm.rpc.wire.ValueReader;
import org.relaxvm.rpc.wire.WireLimits;

/** Files of a session: they take no memory, stay within bounds, and may be replaced. */
class UploadTest {
  private static final Path DIGITS = Path.of("../examples/digits/digits.rvm");
  private static final int LARGE = 1 << 26;
  private static final long LITTLE = 1 << 20;

  /** Gives some bytes, then zeros, then the end of the stream. */
  private static final class Bytes implements Link {
    private final ByteBuffer head;
    private long zeros;

    Bytes(ByteBuffer head, long zeros) {
      this.head = head;
      this.zeros = zeros;
    }

    @Override
    public int read(ByteBuffer target) {
      if (!head.hasRemaining() && zeros == 0) {
        return -1;
      }
      int before = target.remaining();
      while (target.hasRemaining() && head.hasRemaining()) {
        target.put(head.get());
      }
      for (; target.hasRemaining() && zeros > 0; zeros--) {
        target.put((byte) 0);
      }
      return before - target.remaining();
    }

    @Override
    public void write(ByteBuffer first, ByteBuffer second) throws IOException {
      throw new IOException("nobody reads");
    }

    @Override
    public void deadline(long nanoTime) {}

    @Override
    public String peer() {
      return "test";
    }

    @Override
    public boolean isClosed() {
      return false;
    }

    @Override
    public void close() {}
  }

  private static long allocated() {
    return ((ThreadMXBean) ManagementFactory.getThreadMXBean()).getCurrentThreadAllocatedBytes();
  }

  private static ByteBuffer buffer() {
    return ByteBuffer.allocate(100).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Test
  void anUploadGoesToItsFileAsItArrives() throws IOException {
    ByteBuffer head = buffer().putLong(4 + 4 + 4 + 8 + 1 + 4 + 4 + 8 + LARGE).putInt(3);
    head.putInt(2).putInt(TypeIndex.RAW_STRING).putLong(1).put((byte) 'f');
    head.putInt(TypeIndex.BYTES).putInt(TypeIndex.BYTES).putLong(LARGE).flip();
    PacketInput in = new PacketInput(new Bytes(head, LARGE), WireLimits.DEFAULT);
    try (SessionFiles files = new SessionFiles(LARGE)) {
      long before = allocated();
      assertThat(in.next()).isTrue();
      new UploadFunction(files).receive(in, new ValueReader(in));
      assertThat(allocated() - before).isLessThan(LITTLE);
      assertThat(Files.size(files.require("f"))).isEqualTo(LARGE);
      assertThat(files.list()).containsExactly("f");
    }
  }

  @Test
  void aLengthAloneTakesLittleMemory() {
    PacketInput in = new PacketInput(new Bytes(buffer().flip(), 100), WireLimits.DEFAULT);
    long before = allocated();
    assertThatThrownBy(() -> in.readBareBytes(LARGE)).isInstanceOf(IOException.class);
    assertThat(allocated() - before).isLessThan(LITTLE);
  }

  @Test
  void filesAndFoldersHaveABound() {
    try (SessionFiles files = new SessionFiles(100, 3)) {
      write(files, "a/b/c", 0);
      write(files, "a/b/c", 1);
      assertThatThrownBy(() -> write(files, "d", 0))
          .isInstanceOf(CallException.class)
          .hasMessage(
              "a session may make 3 files and folders; 3 were made\n"
                  + "  what to do: begin a new session");
      files.remove("a/b/c");
      write(files, "d", 0);
    }
  }

  private static void write(SessionFiles files, String name, int size) {
    files.write(name, size, (offset, target) -> target.fill((byte) 1));
  }

  @Test
  void aFileThatIsTooLargeIsRefusedAndTheSessionGoesOn() {
    ServerOptions options =
        ServerOptions.DEFAULT.withLimits(ServerOptions.Limits.DEFAULT.withUploadBytes(100_000));
    try (RpcServer server = RpcServer.start(options);
        RpcSession session = RpcSession.connect(server.endpoint(), RpcOptions.DEFAULT)) {
      byte[] whole = new byte[100_000];
      Arrays.fill(whole, (byte) 7);
      session.upload("a", whole);
      session.upload("a", whole);
      assertThatThrownBy(() -> session.upload("b", new byte[1]))
          .isInstanceOf(RemoteCallException.class)
          .hasMessageContaining(
              "the files of this session may have 100000 bytes together; 100000 are used, and b has"
                  + " 1\n  what to do: remove files, or start the server with a larger"
                  + " --upload-limit");
      assertThatThrownBy(() -> session.upload("a", new byte[100_001]))
          .isInstanceOf(RemoteCallException.class);
      assertThat(session.download("a")).isEqualTo(whole);
    }
  }

  @Test
  void anUploadTakesANameAndContent() throws IOException {
    try (RpcServer server = RpcServer.start(ServerOptions.DEFAULT);
        RawClient client = RawClient.connect(server.endpoint(), null, "client:").initialize()) {
      long upload = client.function("tvm.rpc.server.upload");
      client.call(upload, "a");
      assertThat(client.receive()[0]).isEqualTo(MISUSED);
      client.call(upload, "a", 5);
      assertThat(client.receive()[0]).isEqualTo(MISUSED);
      client.call(upload, "a", "text");
      assertThat(client.receive()).containsExactly((long) TypeIndex.NONE, null);
      long download = client.function("tvm.rpc.server.download");
      client.call(download, "a");
      assertThat(client.receive()[1]).isEqualTo(new byte[] {'t', 'e', 'x', 't'});
    }
  }

  private static final String MISUSED =
      "!TypeError: upload(name, content) takes the name of a file, and a string or bytes";

  /** A mapped file whose content went away would end the process. */
  @Test
  void aFileThatAProgramWasLoadedFromMayBeReplaced() {
    try (RpcServer server = RpcServer.start(ServerOptions.DEFAULT);
        RpcSession session = RpcSession.connect(server.endpoint(), RpcOptions.DEFAULT)) {
      session.upload("digits.rvm", DIGITS);
      try (RemoteModule module = session.loadModule("digits.rvm")) {
        session.upload("digits.rvm", new byte[1]);
        try (RemoteVm vm = module.vm(DeviceId.CPU);
            RemoteTensor image =
                session.empty(DType.FLOAT32, Shape.of(1, 1, 28, 28), DeviceId.CPU);
            RemoteFunction flush = session.requireFunction("cache_flush_cpu_non_first_arg")) {
          flush.call();
          vm.setInput("main", image);
          vm.invoke("main");
          assertThat(vm.outputArity("main")).isEqualTo(-1);
        }
      }
    }
  }
}
