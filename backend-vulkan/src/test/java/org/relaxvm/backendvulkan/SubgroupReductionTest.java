package org.relaxvm.backendvulkan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.api.memory.NaiveAllocator;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.Stream;

/** Reductions of rows by subgroups: of fewer elements than work-items, of more, and with NaN. */
@NeedsVulkan
class SubgroupReductionTest {
  private static final int ROWS = 5;
  private static final int[] LENGTHS = {1, 2, 7, 8, 9, 63, 64, 65, 255, 1000};

  private static final String KERNEL =
      """
      # relaxvm tir 1
      @T.prim_func(private=True)
      def reduced(X: T.Buffer((n, m), "DTYPE"), Y: T.Buffer((n,), "DTYPE")):
          n = T.int64()
          m = T.int64()
          with T.block("root"):
              for i0 in range(n):
                  for k0 in range(m):
                      with T.block("Y"):
                          v_i0 = T.axis.spatial(n, i0)
                          v_k0 = T.axis.reduce(m, k0)
                          T.reads(X[v_i0, v_k0])
                          T.writes(Y[v_i0])
                          with T.init():
                              Y[v_i0] = FIRST
                          Y[v_i0] = COMBINED
      """;

  @TempDir private Path folder;
  private final Random random = new Random(Long.getLong("relaxvm.seed", 1));

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          sum; float32; T.float32(0);     Y[v_i0] + X[v_i0, v_k0]
          min; float32; T.float32("inf");  T.min(Y[v_i0], X[v_i0, v_k0])
          max; float32; T.float32("-inf"); T.max(Y[v_i0], X[v_i0, v_k0])
          sum; int32;   0;                Y[v_i0] + X[v_i0, v_k0]
          min; int32;   2147483647;       T.min(Y[v_i0], X[v_i0, v_k0])
          max; int32;   -2147483648;      T.max(Y[v_i0], X[v_i0, v_k0])
          """)
  void rowsGiveWhatTheHostSays(String op, String dtype, String first, String combined)
      throws Exception {
    String text =
        KERNEL.replace("DTYPE", dtype).replace("FIRST", first).replace("COMBINED", combined);
    System.setProperty("relaxvm.gpu.dumpKernels", folder.toString());
    try (Backend backend = new VulkanBackendProvider().open();
        NaiveAllocator allocator = new NaiveAllocator(backend.devices().getFirst())) {
      VulkanDevice device = (VulkanDevice) backend.devices().getFirst();
      assumeThat(device.properties().details().get("subgroups"))
          .as("what subgroups of the device do")
          .contains("vote", "arithmetic");
      try (Module module = device.loadModule(KernelImages.of("reduced", text));
          Stream stream = device.openStream()) {
        for (int length : LENGTHS) {
          double[][] rows = rows(length, dtype.equals("float32"));
          try (Tensor x = DeviceTensors.copyTo(tensor(rows, dtype), allocator, stream);
              Tensor y =
                  DeviceTensors.copyTo(tensor(new double[ROWS][1], dtype), allocator, stream)) {
            module.find("reduced").orElseThrow().invoke(x, y.reshape(Shape.of(ROWS))).close();
            assertThat(values(y.toHost())).as("rows of %d", length).isEqualTo(expected(op, rows));
          }
        }
      }
    } finally {
      System.clearProperty("relaxvm.gpu.dumpKernels");
    }
    try (var files = Files.list(folder)) {
      Path source =
          files.filter(file -> file.toString().endsWith(".comp")).findFirst().orElseThrow();
      assertThat(Files.readString(source)).contains("gl_NumSubgroups");
    }
  }

  private double[][] rows(int length, boolean withNan) {
    double[][] rows = new double[ROWS][length];
    for (double[] row : rows) {
      for (int i = 0; i < length; i++) {
        row[i] = random.nextInt(-1000, 1000);
      }
    }
    if (withNan) {
      rows[ROWS - 1][random.nextInt(length)] = Double.NaN;
    }
    return rows;
  }

  private static Tensor tensor(double[][] rows, String dtype) {
    Shape shape = Shape.of(rows.length, rows[0].length);
    double[] all = Arrays.stream(rows).flatMapToDouble(Arrays::stream).toArray();
    if (dtype.equals("int32")) {
      return Tensor.of(Arrays.stream(all).mapToInt(value -> (int) value).toArray(), shape);
    }
    float[] floats = new float[all.length];
    for (int i = 0; i < all.length; i++) {
      floats[i] = (float) all[i];
    }
    return Tensor.of(floats, shape);
  }

  private static double[] values(Tensor tensor) {
    double[] values = new double[ROWS];
    for (int i = 0; i < ROWS; i++) {
      values[i] =
          tensor.dtype().equals(DType.INT32) ? tensor.toLongArray()[i] : tensor.toFloatArray()[i];
    }
    return values;
  }

  /** Sums of so few small integers are exact in any order. */
  private static double[] expected(String op, double[][] rows) {
    return Arrays.stream(rows)
        .mapToDouble(
            row ->
                switch (op) {
                  case "sum" -> Arrays.stream(row).sum();
                  case "min" -> Arrays.stream(row).reduce(Math::min).orElseThrow();
                  default -> Arrays.stream(row).reduce(Math::max).orElseThrow();
                })
        .toArray();
  }
}
