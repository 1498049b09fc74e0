package org.relaxvm.backendsupport.gpu.module;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.api.memory.NaiveAllocator;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.codegen.Dialect;
import org.relaxvm.backendsupport.gpu.foreign.KernelArgument;
import org.relaxvm.backendsupport.gpu.foreign.WorkSize;
import org.relaxvm.backendtestkit.reference.ReferenceDevice;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.text.TirText;

/** What the launches of a kernel are given, call by call. */
class LaunchArgumentsTest {
  private static final String KERNEL =
      """
      @T.prim_func
      def scaled(A: T.Buffer((n,), "float32"), s: T.float32, C: T.Buffer((n,), "float32")):
          n = T.int64()
          for i in range(n):
              with T.block("C"):
                  v = T.axis.spatial(n, i)
                  C[v] = A[v] * s
      """;

  private final ReferenceDevice device = new ReferenceDevice(new DeviceId("reference", 0));
  private final NaiveAllocator allocator = new NaiveAllocator(device);
  private final List<String> launches = new ArrayList<>();
  private final List<KernelArgument> last = new ArrayList<>();

  @AfterEach
  void close() {
    allocator.close();
    device.close();
  }

  /** A device that only records what it is asked for. */
  private GpuDriver driver(Dialect dialect) {
    return driver(dialect, () -> {});
  }

  private GpuDriver driver(Dialect dialect, Runnable launched) {
    return new GpuDriver() {
      @Override
      public Device device() {
        return device;
      }

      @Override
      public GpuLimits limits() {
        return new GpuLimits(64, 32 << 10, 32, 4, 2);
      }

      @Override
      public Dialect dialect(boolean wide) {
        return dialect;
      }

      @Override
      public GpuProgram build(String name, String source) {
        return new GpuProgram() {
          @Override
          public void launch(
              String kernel,
              String function,
              Stream stream,
              List<KernelArgument> arguments,
              WorkSize size,
              long sharedBytes) {
            launches.add(function + " " + size);
            last.clear();
            last.addAll(arguments);
            launched.run();
          }

          @Override
          public void close() {}
        };
      }
    };
  }

  private Tensor tensor(long... extents) {
    try (Stream stream = device.openStream()) {
      return DeviceTensors.copyTo(
          Tensor.zeros(DType.FLOAT32, Shape.of(extents)), allocator, stream);
    }
  }

  @Test
  void eachCallHasItsOwnExtentsMemoryAndOffsets() {
    try (GpuModule module =
            GpuModule.of(
                driver(new PlainDialect()), List.of(TirText.parse(KERNEL, "kernel").getFirst()));
        Tensor a = tensor(100);
        Tensor c = tensor(100);
        Tensor tail = a.stridedView(Shape.of(60), new long[] {1}, 40);
        Tensor part = c.stridedView(Shape.of(60), new long[] {1}, 0)) {
      PackedFunc scaled = module.find("scaled").orElseThrow();

      scaled.invoke(a, 2.0, c).close();
      assertThat(last).containsExactlyInAnyOrder(given(a, 0, c, 0, 2, 100));
      scaled.invoke(tail, 2.0, part).close();
      assertThat(last).containsExactlyInAnyOrder(given(a, 40, c, 0, 2, 60));
      scaled.invoke(part, 3.0, tail).close();
      assertThat(last).containsExactlyInAnyOrder(given(c, 0, a, 40, 3, 60));
      scaled.invoke(c, 3.0, a).close();
      assertThat(last).containsExactlyInAnyOrder(given(c, 0, a, 0, 3, 100));

      assertThat(launches)
          .containsExactly(
              "scaled [128, 1, 1] in groups of [64, 1, 1]",
              "scaled [64, 1, 1] in groups of [64, 1, 1]",
              "scaled [64, 1, 1] in groups of [64, 1, 1]",
              "scaled [128, 1, 1] in groups of [64, 1, 1]");
    }
  }

  /** Squares of 32 elements: 3 along the columns, 2 along the rows, 5 matrices. */
  @Test
  void workGroupsThatAreMoreThanALaunchHasTakeSeveral() {
    String transposed =
        """
        @T.prim_func
        def turned(A: T.Buffer((b, m, n), "float32"), C: T.Buffer((b, n, m), "float32")):
            b = T.int64()
            m = T.int64()
            n = T.int64()
            for i, j, k in T.grid(b, n, m):
                with T.block("C"):
                    x, y, z = T.axis.remap("SSS", [i, j, k])
                    C[x, y, z] = A[x, z, y]
        """;
    List<List<Integer>> firsts = new ArrayList<>();
    try (GpuModule module =
            GpuModule.of(
                driver(new PlainDialect(2), () -> firsts.add(lastNumbers(3))),
                List.of(TirText.parse(transposed, "kernel").getFirst()));
        Tensor a = tensor(5, 80, 40);
        Tensor c = tensor(5, 40, 80)) {
      module.find("turned").orElseThrow().invoke(a, c).close();
    }

    assertThat(launches)
        .containsExactly(
            "turned [128, 2, 2] in groups of [64, 1, 1]",
            "turned [64, 2, 2] in groups of [64, 1, 1]",
            "turned [128, 2, 2] in groups of [64, 1, 1]",
            "turned [64, 2, 2] in groups of [64, 1, 1]",
            "turned [128, 2, 1] in groups of [64, 1, 1]",
            "turned [64, 2, 1] in groups of [64, 1, 1]");
    // In the order of the loops: matrix, row, column.
    assertThat(firsts)
        .containsExactly(
            List.of(0, 0, 0),
            List.of(0, 0, 2),
            List.of(2, 0, 0),
            List.of(2, 0, 2),
            List.of(4, 0, 0),
            List.of(4, 0, 2));
  }

  private List<Integer> lastNumbers(int count) {
    return last.subList(last.size() - count, last.size()).stream()
        .map(each -> (int) ((KernelArgument.Scalar) each).bits())
        .toList();
  }

  /** Extents that are known to be few enough need no more numbers. */
  @Test
  void workGroupsThatAreSurelyFewStartAtTheFirst() {
    String known =
        """
        @T.prim_func
        def scaled(A: T.Buffer((128,), "float32"), s: T.float32, C: T.Buffer((128,), "float32")):
            for i in range(128):
                with T.block("C"):
                    v = T.axis.spatial(128, i)
                    C[v] = A[v] * s
        """;
    PrimFunc kernel = TirText.parse(known, "kernel").getFirst();
    try (GpuModule module = GpuModule.of(driver(new PlainDialect(2)), List.of(kernel));
        Tensor a = tensor(128);
        Tensor c = tensor(128)) {
      module.find("scaled").orElseThrow().invoke(a, 2.0, c).close();

      assertThat(launches).containsExactly("scaled [128, 1, 1] in groups of [64, 1, 1]");
      assertThat(last).hasSize(5);
    }
    try (GpuModule module = GpuModule.of(driver(new PlainDialect(1)), List.of(kernel));
        Tensor a = tensor(128);
        Tensor c = tensor(128)) {
      module.find("scaled").orElseThrow().invoke(a, 2.0, c).close();

      assertThat(launches).hasSize(3).endsWith("scaled [64, 1, 1] in groups of [64, 1, 1]");
      assertThat(lastNumbers(1)).containsExactly(1);
    }
  }

  @Test
  void nothingIsLaunchedForNoElements() {
    try (GpuModule module =
            GpuModule.of(
                driver(new PlainDialect()), List.of(TirText.parse(KERNEL, "kernel").getFirst()));
        Tensor a = tensor(0);
        Tensor c = tensor(0)) {
      module.find("scaled").orElseThrow().invoke(a, 2.0, c).close();

      assertThat(launches).isEmpty();
    }
  }

  private static KernelArgument[] given(
      Tensor a, int aAt, Tensor c, int cAt, float factor, int extent) {
    return new KernelArgument[] {
      new KernelArgument.Memory(a.storage().memory()),
      KernelArgument.Scalar.of(aAt),
      new KernelArgument.Memory(c.storage().memory()),
      KernelArgument.Scalar.of(cAt),
      KernelArgument.Scalar.of(factor),
      KernelArgument.Scalar.of(extent)
    };
  }
}
