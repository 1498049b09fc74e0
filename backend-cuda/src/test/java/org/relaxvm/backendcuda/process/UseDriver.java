package org.relaxvm.backendcuda.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.relaxvm.backendcuda.driver.Axes;
import org.relaxvm.backendcuda.driver.Cuda;
import org.relaxvm.backendcuda.driver.CudaStatusException;
import org.relaxvm.backendcuda.driver.Handle;
import org.relaxvm.backendcuda.driver.JcudaDriver;
import org.relaxvm.backendcuda.driver.Launch;

/** Makes each call of the driver and says what came of it. */
final class UseDriver {
  private static final long FAR = (5L << 30) + 4;

  private final Cuda cuda;
  private final Handle.Context context;
  private final Handle.Stream stream;

  private UseDriver(Cuda cuda) {
    this.cuda = cuda;
    this.context = cuda.retainContext(0);
    this.stream = cuda.createStream(context);
  }

  public static void main(String[] args) {
    Cuda cuda = JcudaDriver.load();
    report(cuda);
    UseDriver use = new UseDriver(cuda);
    use.memory();
    use.pinned();
    use.events();
    use.modules();
    use.graphs();
    System.out.println("live: " + use.cuda.liveHandles());
    use.cuda.release(use.context, use.stream);
    use.cuda.release(use.context);
    System.out.println("left: " + use.cuda.liveHandles());
  }

  private static void report(Cuda cuda) {
    System.out.println("version: " + cuda.driverVersion());
    System.out.println("devices: " + cuda.deviceCount());
    System.out.println(cuda.report(0));
    System.out.println("reach: " + cuda.canReach(0, 0));
    fails(() -> cuda.report(1));
  }

  private void memory() {
    System.out.println(cuda.freeMemory(context));
    long plain = cuda.allocate(context, 6L << 30);
    long pooled = cuda.allocateInOrder(context, 6L << 30, stream);
    System.out.println("aligned: " + (plain % 256 == 0 && pooled % 256 == 0));
    byte[] back = new byte[4];
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment host = arena.allocateFrom(ValueLayout.JAVA_BYTE, (byte) 1, (byte) 2, (byte) 3);
      cuda.copyIn(context, host, plain + FAR, stream);
      cuda.copyWithin(context, plain + FAR, pooled + FAR + 1, 3, stream);
      cuda.copyPeer(context, pooled + FAR, context, plain, 4, stream);
      MemorySegment read = arena.allocate(4);
      cuda.copyOut(context, plain, read, stream);
      cuda.synchronize(context, stream);
      MemorySegment.copy(read, ValueLayout.JAVA_BYTE, 0, back, 0, 4);
    }
    System.out.println("copied: " + Arrays.toString(back));
    cuda.enablePeer(context, context);
    cuda.free(context, plain);
    cuda.freeInOrder(context, pooled, stream);
    fails(() -> cuda.allocate(context, 100L << 30));
    fails(() -> cuda.allocateInOrder(context, 100L << 30, stream));
  }

  private void pinned() {
    MemorySegment pinned = cuda.allocatePinned(context, 64);
    pinned.fill((byte) 7);
    long there = cuda.allocate(context, 64);
    cuda.copyIn(context, pinned, there, stream);
    pinned.fill((byte) 0);
    cuda.copyOut(context, there, pinned, stream);
    System.out.println(
        "pinned: " + pinned.byteSize() + " of " + pinned.get(ValueLayout.JAVA_BYTE, 63));
    cuda.free(context, there);
    cuda.freePinned(context, pinned);
  }

  private void events() {
    Handle.Event first = cuda.createEvent(context, true);
    Handle.Event second = cuda.createEvent(context, true);
    Handle.Event untimed = cuda.createEvent(context, false);
    System.out.println("before: " + cuda.isDone(context, first));
    cuda.record(context, first, stream);
    cuda.record(context, second, stream);
    cuda.record(context, untimed, stream);
    cuda.await(context, second);
    cuda.waitFor(context, stream, second);
    System.out.println(
        "after: "
            + cuda.isDone(context, first)
            + ", "
            + cuda.millisBetween(context, first, second));
    fails(() -> cuda.millisBetween(context, first, untimed));
    cuda.release(context, first);
    cuda.release(context, second);
    cuda.release(context, untimed);
  }

  private void modules() {
    Handle.Module module = cuda.loadModule(context, "good".getBytes(UTF_8));
    Handle.Function fill = cuda.function(context, module, "fill");
    System.out.println(cuda.report(context, fill));
    long out = cuda.allocate(context, 4096);
    ByteBuffer arguments = buffer(24).putLong(out).putInt(3).putInt(0).putDouble(2.5).flip();
    cuda.launch(context, stream, plain(fill, arguments, 100));
    System.out.println("filled: " + Arrays.toString(floats(out)));
    fails(() -> cuda.launch(context, stream, plain(fill, arguments, 60_000)));
    cuda.allowDynamicShared(context, fill, 60_000);
    cuda.launch(context, stream, plain(fill, arguments, 60_000));
    Handle.Function tell = cuda.function(context, module, "tell");
    ByteBuffer pointer = buffer(8).putLong(out).flip();
    cuda.launch(context, stream, plain(tell, pointer, 100));
    System.out.println("plain: " + Arrays.toString(integers(out, 9)));
    cuda.launch(
        context,
        stream,
        new Launch(
            tell,
            new Axes(8, 9, 10),
            new Axes(4, 5, 6),
            new Axes(2, 1, 1),
            new Axes(16, 1, 1),
            200,
            true,
            true,
            pointer));
    System.out.println("extended: " + Arrays.toString(integers(out, 25)));
    fails(() -> cuda.function(context, module, "none"));
    fails(() -> cuda.loadModule(context, "bad".getBytes(UTF_8)));
    cuda.free(context, out);
    cuda.unload(context, module);
  }

  private static Launch plain(Handle.Function function, ByteBuffer arguments, int shared) {
    return new Launch(
        function,
        new Axes(70_000, 2, 3),
        new Axes(32, 5, 6),
        Axes.ONE,
        Axes.ONE,
        shared,
        false,
        false,
        arguments);
  }

  private void graphs() {
    long out = cuda.allocate(context, 64);
    cuda.beginCapture(context, stream);
    cuda.copyWithin(context, out, out + 32, 32, stream);
    fails(() -> cuda.synchronize(context, stream));
    Handle.Graph graph = cuda.endCapture(context, stream);
    cuda.launch(context, graph, stream);
    cuda.synchronize(context, stream);
    System.out.println("graph: " + (graph.address() != 0));
    cuda.release(context, graph);
    fails(() -> cuda.endCapture(context, stream));
    cuda.free(context, out);
  }

  private static ByteBuffer buffer(int byteSize) {
    return ByteBuffer.allocateDirect(byteSize).order(ByteOrder.nativeOrder());
  }

  private float[] floats(long address) {
    return read(address, 4).toArray(ValueLayout.JAVA_FLOAT);
  }

  private int[] integers(long address, int count) {
    return read(address, count).toArray(ValueLayout.JAVA_INT);
  }

  private MemorySegment read(long address, int count) {
    MemorySegment read = Arena.ofAuto().allocate(4L * count, 8);
    cuda.copyOut(context, address, read, stream);
    cuda.synchronize(context, stream);
    return read;
  }

  private static void fails(Runnable call) {
    try {
      call.run();
      System.out.println("it did not fail");
    } catch (CudaStatusException e) {
      System.out.println(e.getMessage() + (e.log().isEmpty() ? "" : ": " + e.log()));
    }
  }
}
