package org.relaxvm.backendcuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.error.BackendException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.DeviceMemory;
import org.relaxvm.api.spi.Event;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendcuda.driver.Axes;
import org.relaxvm.backendcuda.driver.FunctionReport;
import org.relaxvm.backendcuda.program.CudaKernel;
import org.relaxvm.backendcuda.program.CudaProgram;
import org.relaxvm.backendcuda.program.LaunchShape;
import org.relaxvm.backendsupport.gpu.foreign.KernelArgument;
import org.relaxvm.backendsupport.gpu.foreign.WorkSize;

/** Launches as the driver gets them, and the order of streams. */
class CudaStreamTest {
  private static final LaunchShape ONE =
      LaunchShape.of(WorkSize.of(new long[] {1}, new long[] {1}), 0);

  private final FakeBackend fake = new FakeBackend();
  private Backend backend;
  private CudaDevice device;
  private CudaProgram program;
  private CudaStream stream;

  @BeforeEach
  void open() {
    backend = fake.open();
    device = (CudaDevice) backend.devices().getFirst();
    program = device.build("negated", NegatedKernel.SOURCE);
    stream = device.own(device.openStream());
  }

  @AfterEach
  void nothingIsLeftOver() {
    program.close();
    stream.close();
    assertThat(device.liveBytes()).isZero();
    backend.close();
    assertThat(fake.cuda.liveHandles()).isEmpty();
  }

  private ByteBuffer packed(KernelArgument... arguments) {
    stream.launch(program.kernel("k"), "k", List.of(arguments), ONE);
    return ByteBuffer.wrap(fake.cuda.arguments.getLast()).order(ByteOrder.nativeOrder());
  }

  @Test
  void eachArgumentIsAtAMultipleOfItsSize() {
    ByteBuffer bytes =
        packed(
            KernelArgument.Scalar.of(7),
            KernelArgument.Scalar.of(-5L),
            KernelArgument.Scalar.of(1.5f),
            KernelArgument.Scalar.of(-2),
            KernelArgument.Scalar.of(0.1),
            KernelArgument.Scalar.of(9));
    assertThat(bytes.remaining()).isEqualTo(36);
    assertThat(bytes.getInt(0)).isEqualTo(7);
    assertThat(bytes.getLong(8)).isEqualTo(-5);
    assertThat(bytes.getFloat(16)).isEqualTo(1.5f);
    assertThat(bytes.getInt(20)).isEqualTo(-2);
    assertThat(bytes.getDouble(24)).isEqualTo(0.1);
    assertThat(bytes.getInt(32)).isEqualTo(9);
  }

  @Test
  void blocksAreAddressesThatIncludeTheOffset() {
    CudaMemory block = (CudaMemory) device.allocate(5L << 30, 64, "");
    ByteBuffer bytes =
        packed(
            KernelArgument.Scalar.of(1),
            new KernelArgument.Memory(block),
            new KernelArgument.Memory(block, (4L << 30) + 12),
            new KernelArgument.Memory(null, 0));
    assertThat(bytes.getLong(8)).isEqualTo(block.address());
    assertThat(bytes.getLong(16)).isEqualTo(block.address() + (4L << 30) + 12);
    assertThat(bytes.getLong(24)).isZero();
    assertThatThrownBy(() -> packed(new KernelArgument.Memory(block, (5L << 30) + 1)))
        .isInstanceOfSatisfying(
            BackendException.class, e -> assertThat(e.kind()).isEqualTo(ErrorKind.INDEX))
        .hasMessage(
            "cuda:0 cannot give argument #0 of the kernel k a tensor that starts at byte"
                + " 5368709121 of a block of 5368709120");
    device.free(block);
  }

  @Test
  void tensorMapsAreAtMultiplesOf64() {
    byte[] map = new byte[128];
    map[0] = 1;
    map[127] = 2;
    ByteBuffer bytes =
        packed(
            KernelArgument.Scalar.of(3),
            new KernelArgument.TensorMap(map),
            KernelArgument.Scalar.of(4),
            new KernelArgument.TensorMap(map));
    assertThat(bytes.remaining()).isEqualTo(256 + 128);
    assertThat(bytes.get(64)).isEqualTo((byte) 1);
    assertThat(bytes.get(191)).isEqualTo((byte) 2);
    assertThat(bytes.getInt(192)).isEqualTo(4);
    assertThat(bytes.get(256)).isEqualTo((byte) 1);
  }

  @Test
  void moreArgumentsThanUsualAndThenFewer() {
    KernelArgument[] many = new KernelArgument[100];
    for (int i = 0; i < many.length; i++) {
      many[i] = KernelArgument.Scalar.of((long) i);
    }
    ByteBuffer bytes = packed(many);
    assertThat(bytes.remaining()).isEqualTo(800);
    for (int i = 0; i < many.length; i++) {
      assertThat(bytes.getLong(8 * i)).isEqualTo(i);
    }
    assertThat(packed(KernelArgument.Scalar.of(1)).remaining()).isEqualTo(4);
    assertThat(packed().remaining()).isZero();
  }

  @Test
  void workGroupsBecomeBlocks() {
    LaunchShape shape =
        LaunchShape.of(WorkSize.of(new long[] {4L << 30, 6, 8}, new long[] {256, 2, 1}), 0);
    stream.launch(program.kernel("k"), "k", List.of(), shape);
    assertThat(fake.cuda.launches.getLast())
        .satisfies(
            launch -> {
              assertThat(launch.grid()).isEqualTo(new Axes(1 << 24, 3, 8));
              assertThat(launch.block()).isEqualTo(new Axes(256, 2, 1));
              assertThat(launch.cluster()).isEqualTo(Axes.ONE);
              assertThat(launch.dynamicSharedBytes()).isZero();
              assertThat(launch.cooperative()).isFalse();
            });
  }

  @Test
  void sizesThatTheKernelOrTheDeviceHasNotAreRefused() {
    fake.cuda.functionReport = new FunctionReport(256, 200, 0, 0);
    CudaKernel kernel = program.kernel("k");
    refuses(
        "cuda:0 cannot launch the kernel k with grid=(2,1,1), block=(512,1,1), shared=0: a block of"
            + " it has at most 256 threads",
        kernel,
        LaunchShape.of(WorkSize.of(new long[] {1024}, new long[] {512}), 0));
    refuses(
        "cuda:0 cannot launch the kernel k with grid=(1,65536,1), block=(1,1,1), shared=0: the"
            + " device launches at most (2147483647,65535,65535) blocks",
        kernel,
        LaunchShape.of(WorkSize.of(new long[] {1, 65536}, new long[] {1, 1}), 0));
    assertThat(fake.cuda.launches).isEmpty();
  }

  private void refuses(String message, CudaKernel kernel, LaunchShape shape) {
    assertThatThrownBy(() -> stream.launch(kernel, "k", List.of(), shape))
        .isInstanceOf(BackendException.class)
        .hasMessage(
            message
                + "\n  what to do: compile the program for the limits of this device, which"
                + " 'relaxvm doctor' shows");
  }

  @Test
  void whatIsSubmittedIsDoneInOrderAndLate() {
    DeviceMemory x = device.allocate(12, 64, "");
    DeviceMemory out = device.allocate(12, 64, "");
    device.copyIn(MemorySegment.ofArray(new float[] {1, -2, 3}), x, 0, stream);
    List<KernelArgument> arguments =
        List.of(new KernelArgument.Memory(x), new KernelArgument.Memory(out));
    stream.launch(program.kernel(NegatedKernel.NAME), NegatedKernel.NAME, arguments, ONE);
    float[] back = new float[3];
    device.copyOut(out, 0, MemorySegment.ofArray(back), stream);
    assertThat(back).containsExactly(-1, 2, -3);
    device.free(x);
    device.free(out);
  }

  @Test
  void anEventComesWhenTheWorkBeforeItIsDone() {
    stream.launch(program.kernel("k"), "k", List.of(), ONE);
    try (Event event = stream.record()) {
      assertThat(event.isComplete()).isFalse();
      event.await();
      assertThat(event.isComplete()).isTrue();
    }
  }

  @Test
  void aStreamWaitsForAPointOfAnother() {
    DeviceMemory x = device.allocate(4, 64, "");
    try (Stream other = device.openStream()) {
      device.copyIn(MemorySegment.ofArray(new byte[] {1, 2, 3, 4}), x, 0, other);
      try (Event event = other.record()) {
        stream.waitFor(event);
      }
      byte[] back = new byte[4];
      device.copyOut(x, 0, MemorySegment.ofArray(back), stream);
      assertThat(back).containsExactly(1, 2, 3, 4);
    }
    device.free(x);
  }

  @Test
  void aClosedStreamTakesNoWorkAndItsEventsHaveCome() {
    Stream closed = device.openStream();
    DeviceMemory block = device.allocate(16, 64, "");
    closed.close();
    assertThatThrownBy(() -> device.copyWithin(block, 0, block, 8, 8, closed))
        .hasMessage("a stream of cuda:0 is closed: it takes no work");
    closed.synchronize();
    try (Event event = closed.record()) {
      assertThat(event.isComplete()).isTrue();
      event.await();
    }
    closed.close();
    device.free(block);
  }

  @Test
  void anEventThatIsClosedIsNotWaitedFor() {
    Event event = stream.record();
    event.close();
    event.close();
    assertThat(event.isComplete()).isTrue();
    event.await();
    stream.waitFor(event);
  }

  @Test
  void aProgramIsUnloadedOnlyWhenItsWorkIsDone() {
    CudaProgram own = device.build("own", "another");
    CudaKernel kernel = own.kernel("k");
    stream.launch(kernel, "k", List.of(), ONE);
    fake.cuda.calls.clear();
    own.close();
    assertThat(fake.cuda.calls).containsExactly("synchronize", "unload");
    assertThatThrownBy(() -> stream.launch(kernel, "k", List.of(), ONE))
        .hasMessage("the program of kernel k on cuda:0 is closed: it cannot be launched any more");
    assertThatThrownBy(() -> own.kernel("k"))
        .hasMessage("a program of cuda:0 is closed: its kernels cannot be used any more");
  }
}
