package org.relaxvm.backendcpu.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.api.memory.NaiveAllocator;
import org.relaxvm.api.spi.Allocator;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendcpu.invocation.Pins;
import org.relaxvm.backendcpu.vector.ProcessMemory;

/** Which memory kernels reach by address, and that it stays while they do. */
class PinsTest {
  private static final Shape SHAPE = Shape.of(100);

  private static final String TEXT =
      """
      @T.prim_func(private=True)
      def twice(A: T.Buffer((n,), "float32"), C: T.Buffer((n,), "float32")):
          n = T.int64()
          for i in range(n):
              with T.block("twice"):
                  v = T.axis.spatial(n, i)
                  C[v] = A[v] + A[v]
      """;

  @TempDir Path folder;

  private static Tensor in(MemorySegment segment) {
    return Tensor.wrap(segment, DType.FLOAT32, SHAPE);
  }

  private static boolean isPinned(Tensor tensor, boolean writes) {
    try (Pins pins = new Pins()) {
      pins.add(tensor, writes);
      return pins.areComplete();
    }
  }

  private MemorySegment mapped() throws IOException {
    Path file = folder.resolve("weights.bin");
    Files.write(file, new byte[400]);
    try (FileChannel channel = FileChannel.open(file)) {
      return channel.map(MapMode.READ_ONLY, 0, 400, Arena.ofAuto());
    }
  }

  @Test
  void memoryThatNobodyClosesIsPinned() throws IOException {
    assertThat(isPinned(Tensor.zeros(DType.FLOAT32, SHAPE), true)).isTrue();
    assertThat(isPinned(in(Arena.global().allocate(400, 64)), true)).isTrue();
    assertThat(isPinned(in(mapped()), false)).isTrue();
  }

  @Test
  void memoryThatACallerMayCloseOrMoveIsNot() {
    try (Arena shared = Arena.ofShared();
        Arena confined = Arena.ofConfined()) {
      assertThat(isPinned(in(shared.allocate(400, 64)), false)).isFalse();
      assertThat(isPinned(in(confined.allocate(400, 64)), false)).isFalse();
    }
    assertThat(isPinned(in(MemorySegment.ofArray(new float[100])), false)).isFalse();
  }

  @Test
  void whatCannotBeWrittenRefusesAsEver() throws IOException {
    Tensor weights = in(mapped());
    assertThat(isPinned(weights, true)).isFalse();
    PackedFunc twice = GeneratedKernels.compile(GeneratedKernels.kernel(TEXT));
    Tensor x = Tensor.zeros(DType.FLOAT32, SHAPE);
    assertThatThrownBy(() -> GeneratedKernels.call(twice, null, List.of(x, weights)))
        .isInstanceOf(CallException.class)
        .hasMessage(
            "the parameter C: expected a tensor that can be written, but got read-only memory\n"
                + "  at kernel twice");
  }

  @Test
  void elementsInFrontOfTheFirstAreFound() {
    PackedFunc twice =
        GeneratedKernels.compile(
            GeneratedKernels.kernel(
                TEXT.replace("\"float32\"), C", "\"float32\", strides=(s,)), C")
                    .replace("n = T.int64()", "n = T.int64()\n    s = T.int64()")));
    float[] numbers = new float[100];
    for (int i = 0; i < 100; i++) {
      numbers[i] = i;
    }
    Tensor backwards = Tensor.of(numbers, SHAPE).stridedView(SHAPE, new long[] {-1}, 99);
    assertThat(isPinned(backwards, false)).isFalse();
    Tensor out = Tensor.zeros(DType.FLOAT32, SHAPE);
    GeneratedKernels.call(twice, null, List.of(backwards, out));
    assertThat(out.toFloatArray()).startsWith(198, 196, 194).endsWith(4, 2, 0);
  }

  @Test
  void oneOfManyIsEnoughToGoOtherWays() {
    try (Arena shared = Arena.ofShared();
        Pins pins = new Pins()) {
      pins.add(in(shared.allocate(400, 64)), false);
      pins.add(Tensor.zeros(DType.FLOAT32, SHAPE), false);
      assertThat(pins.areComplete()).isFalse();
    }
  }

  @Test
  void aTensorThatIsClosedInTheMiddleOfACallKeepsItsMemoryUntilTheEnd() {
    HostDevice device = HostDevice.INSTANCE;
    try (Allocator allocator = new NaiveAllocator(device);
        Stream stream = device.openStream()) {
      Tensor tensor = DeviceTensors.allocate(allocator, DType.FLOAT32, SHAPE, stream);
      MemorySegment memory = tensor.segment();
      try (Pins pins = new Pins()) {
        pins.add(tensor, true);
        assertThat(pins.areComplete()).isTrue();
        tensor.close();
        assertThat(memory.scope().isAlive()).isTrue();
      }
      assertThat(memory.scope().isAlive()).isFalse();
    }
  }

  @Test
  void placesOutsideOfABufferAreRefused() {
    assertThat(ProcessMemory.describe())
        .isEqualTo("unchecked native access (bounds proven once per loop)");
    assertThat(ProcessMemory.reach(4096, 400, 16, 384)).isEqualTo(4112);
    assertThat(ProcessMemory.reach(4096, 400, 400, 0)).isEqualTo(4496);
    assertThatThrownBy(() -> ProcessMemory.reach(4096, 400, 20, 384))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("384 bytes from byte 20 on are not in a buffer of 400 bytes");
    for (long[] wrong : new long[][] {{-4, 8}, {0, -8}, {Long.MAX_VALUE, 8}, {8, Long.MAX_VALUE}}) {
      assertThatThrownBy(() -> ProcessMemory.reach(4096, 400, wrong[0], wrong[1]))
          .isInstanceOf(IndexOutOfBoundsException.class);
    }
  }
}
