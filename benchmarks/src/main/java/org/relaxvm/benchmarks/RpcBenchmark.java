package org.relaxvm.benchmarks;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.rpc.RemoteFunction;
import org.relaxvm.rpc.RemoteTensor;
import org.relaxvm.rpc.RpcServer;
import org.relaxvm.rpc.RpcSession;
import org.relaxvm.rpc.connection.RpcOptions;
import org.relaxvm.rpc.connection.ServerOptions;

/**
 * A remote call and copies of 64 MiB on loopback, beside a bare request and reply and a plain
 * transfer over sockets of the same kind. The time of a copy is that of 64 MiB.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(java.util.concurrent.TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class RpcBenchmark {
  private static final int REQUEST_BYTES = 36;
  private static final int REPLY_BYTES = 40;
  private static final int COPY_BYTES = 1 << 26;

  /** A server of this project, a session and a tensor on it. */
  @State(Scope.Thread)
  public static class Rpc {
    private @Nullable RpcServer server;
    private @Nullable RpcSession session;
    private @Nullable RemoteFunction addOne;
    private @Nullable RemoteTensor remote;
    private @Nullable Tensor local;

    /** Connects. */
    @Setup(Level.Trial)
    public void open() {
      server = RpcServer.start(ServerOptions.DEFAULT.withTestFunctions(true));
      session = RpcSession.connect(server.endpoint(), RpcOptions.DEFAULT);
      addOne = session.requireFunction("rpc.test.addone");
      Shape shape = Shape.of(COPY_BYTES / Float.BYTES);
      local = Tensor.zeros(DType.FLOAT32, shape);
      remote = session.empty(DType.FLOAT32, shape, DeviceId.CPU);
    }

    /** Disconnects. */
    @TearDown(Level.Trial)
    public void close() {
      Objects.requireNonNull(local).close();
      Objects.requireNonNull(session).close();
      Objects.requireNonNull(server).close();
    }
  }

  /** A socket whose other end answers requests, and takes or gives large blocks. */
  @State(Scope.Thread)
  public static class Bare {
    private final ByteBuffer request = ByteBuffer.allocateDirect(REQUEST_BYTES);
    private final ByteBuffer reply = ByteBuffer.allocateDirect(REPLY_BYTES);
    private final ByteBuffer block = ByteBuffer.allocateDirect(COPY_BYTES);
    private @Nullable ServerSocketChannel listener;
    private @Nullable SocketChannel channel;

    /** Connects. */
    @Setup(Level.Trial)
    public void open() throws IOException {
      listener =
          ServerSocketChannel.open()
              .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      ServerSocketChannel listening = listener;
      Thread.ofVirtual().start(() -> serve(listening));
      channel = SocketChannel.open(listener.getLocalAddress());
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    /**
     * The first byte of a request says what is wanted: 0 a reply, 1 a block is sent, 2 one is read.
     */
    private static void serve(ServerSocketChannel listening) {
      ByteBuffer in = ByteBuffer.allocateDirect(REQUEST_BYTES);
      ByteBuffer out = ByteBuffer.allocateDirect(REPLY_BYTES);
      ByteBuffer large = ByteBuffer.allocateDirect(COPY_BYTES);
      try (SocketChannel accepted = listening.accept()) {
        accepted.setOption(StandardSocketOptions.TCP_NODELAY, true);
        while (read(accepted, in)) {
          switch (in.get(0)) {
            case 1 -> read(accepted, large);
            case 2 -> write(accepted, large);
            default -> {}
          }
          write(accepted, out);
        }
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }

    private static boolean read(SocketChannel from, ByteBuffer target) throws IOException {
      target.clear();
      while (target.hasRemaining()) {
        if (from.read(target) < 0) {
          return false;
        }
      }
      return true;
    }

    private static void write(SocketChannel to, ByteBuffer source) throws IOException {
      source.clear();
      while (source.hasRemaining()) {
        to.write(source);
      }
    }

    private void ask(int what) throws IOException {
      SocketChannel open = Objects.requireNonNull(channel);
      request.put(0, (byte) what);
      write(open, request);
      if (what == 1) {
        write(open, block);
      } else if (what == 2) {
        read(open, block);
      }
      read(open, reply);
    }

    /** Disconnects. */
    @TearDown(Level.Trial)
    public void close() throws IOException {
      Objects.requireNonNull(channel).close();
      Objects.requireNonNull(listener).close();
    }
  }

  /** A call of a function that adds 1. */
  @Benchmark
  public @Nullable Object call(Rpc rpc) {
    return Objects.requireNonNull(rpc.addOne).call(1L);
  }

  /** A request of 36 bytes and a reply of 40. */
  @Benchmark
  public void bareCall(Bare bare) throws IOException {
    bare.ask(0);
  }

  /** A copy to the server. */
  @Benchmark
  public void copyTo(Rpc rpc) {
    Objects.requireNonNull(rpc.remote).copyFrom(Objects.requireNonNull(rpc.local));
  }

  /** A plain transfer to the other end. */
  @Benchmark
  public void bareCopyTo(Bare bare) throws IOException {
    bare.ask(1);
  }

  /** A copy from the server. */
  @Benchmark
  public void copyFrom(Rpc rpc) {
    Objects.requireNonNull(rpc.remote).copyTo(Objects.requireNonNull(rpc.local));
  }

  /** A plain transfer from the other end. */
  @Benchmark
  public void bareCopyFrom(Bare bare) throws IOException {
    bare.ask(2);
  }
}
