package org.relaxvm.backendcuda.kernels;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.Tuple;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.api.memory.NaiveAllocator;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.codegen.Dialect;
import org.relaxvm.backendsupport.gpu.foreign.KernelArgument;
import org.relaxvm.backendsupport.gpu.foreign.WorkSize;
import org.relaxvm.backendsupport.gpu.kernellibrary.GpuLibrary;
import org.relaxvm.backendsupport.gpu.module.GpuDriver;
import org.relaxvm.backendsupport.gpu.module.GpuProgram;
import org.relaxvm.backendtestkit.reference.ReferenceDevice;

/**
 * The calls of the kernel library that {@link PreparedKernels} are for, and the programs that they
 * need. Extents that are not the same number may be any, but 1 is 1.
 */
final class PreparedCalls implements AutoCloseable {
  private static final long B = 3;
  private static final long H = 17;
  private static final long M = 5;
  private static final long K = 13;
  private static final long N = 11;

  private final ReferenceDevice device = new ReferenceDevice(new DeviceId("reference", 0));
  private final NaiveAllocator allocator = new NaiveAllocator(device);
  private final Stream stream = device.openStream();
  private final Map<String, String> programs = new TreeMap<>();
  private final GpuLibrary library = GpuLibrary.of(new Recorder());

  private PreparedCalls() {}

  /** The programs, by their names in {@link PreparedKernels#RESOURCE}. */
  static Map<String, String> programs() {
    try (PreparedCalls calls = new PreparedCalls()) {
      for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT16)) {
        calls.elementwise(dtype);
        calls.casts(dtype);
        calls.gemms(dtype);
        calls.rows(dtype);
        calls.images(dtype);
        calls.movement(dtype);
      }
      return calls.programs;
    }
  }

  @Override
  public void close() {
    library.close();
    stream.close();
    allocator.close();
    device.close();
  }

  private void elementwise(DType dtype) {
    for (String function :
        ("negative abs exp log sqrt rsqrt tanh sigmoid relu gelu silu erf floor ceil round trunc"
                + " sign square sin cos gelu_tanh copy reshape")
            .split(" ")) {
      call(function, of(dtype, N), of(dtype, N));
    }
    for (String function : "add subtract multiply divide maximum minimum power".split(" ")) {
      call(function, of(dtype, N), of(dtype, N), of(dtype, N));
      for (long[] shape : new long[][] {{N}, {M, N}, {B, M, N}, {1, M, N}, {1, 1, N}}) {
        call(function, of(dtype, shape), of(dtype), of(dtype, shape));
        if (shape.length > 1) {
          call(function, of(dtype, shape), of(dtype, N), of(dtype, shape));
        }
      }
    }
    call("add", of(dtype, B, H, M, N), of(dtype, 1, H, 1, 1), of(dtype, B, H, M, N));
    call("where", of(DType.BOOL, N), of(dtype, N), of(dtype, N), of(dtype, N));
  }

  private void casts(DType dtype) {
    for (DType from : List.of(DType.FLOAT32, DType.FLOAT16, DType.INT32, DType.INT64, DType.BOOL)) {
      if (!from.equals(dtype)) {
        call("cast", of(from, N), of(dtype, N));
        call("cast", of(dtype, N), of(from, N));
      }
    }
  }

  private void gemms(DType dtype) {
    for (boolean transposed : new boolean[] {false, true}) {
      for (long[] mkn : new long[][] {{M, K, N}, {M, N, N}, {1, K, N}, {1, N, N}, {N, N, N}}) {
        dense(dtype, transposed, new long[] {mkn[0]}, mkn[1], mkn[2]);
      }
      for (long[] rows : new long[][] {{1, M}, {B, M}, {1, 1}}) {
        dense(dtype, transposed, rows, K, N);
        dense(dtype, transposed, rows, N, N);
      }
      for (long[] batch : new long[][] {{B}, {1, H}, {B, H}}) {
        for (long[] mkn : new long[][] {{M, K, N}, {N, K, N}, {N, N, K}, {1, K, N}}) {
          long[] b = transposed ? new long[] {mkn[2], mkn[1]} : new long[] {mkn[1], mkn[2]};
          matmul(
              of(dtype, join(batch, mkn[0], mkn[1])),
              of(dtype, join(batch, b)),
              null,
              transposed,
              "none",
              of(dtype, join(batch, mkn[0], mkn[2])));
        }
      }
    }
  }

  /** A layer: rows times a matrix, with and without what follows. */
  private void dense(DType dtype, boolean transposed, long[] rows, long k, long n) {
    Tensor a = of(dtype, join(rows, k));
    Tensor b = transposed ? of(dtype, n, k) : of(dtype, k, n);
    Tensor out = of(dtype, join(rows, n));
    matmul(a, b, null, transposed, "none", out);
    for (String activation : List.of("none", "relu", "gelu", "silu")) {
      matmul(a, b, of(dtype, n), transposed, activation, out);
    }
  }

  private void matmul(
      Tensor a,
      Tensor b,
      @Nullable Tensor bias,
      boolean transposed,
      String activation,
      Tensor out) {
    call("matmul", a, b, bias, false, transposed, activation, out);
  }

  private static long[] join(long[] first, long... second) {
    return LongStream.concat(Arrays.stream(first), Arrays.stream(second)).toArray();
  }

  private void rows(DType dtype) {
    List<long[]> shapes = new ArrayList<>(List.of(new long[] {M, N}, new long[] {1, N}));
    shapes.addAll(List.of(new long[] {B, M, N}, new long[] {1, M, N}, new long[] {1, 1, N}));
    for (long[] shape : shapes) {
      Tensor x = of(dtype, shape);
      Tensor row = of(dtype, N);
      call("softmax", x, -1L, x);
      call("log_softmax", x, -1L, x);
      for (double epsilon : new double[] {1e-5, 1e-6, 1e-12}) {
        call("layer_norm", x, row, row, Shape.of(-1), epsilon, x);
        call("rms_norm", x, row, Shape.of(-1), epsilon, x);
      }
      long[] reduced = Arrays.copyOf(shape, shape.length - 1);
      for (boolean keep : new boolean[] {false, true}) {
        long[] out = keep ? join(reduced, 1) : reduced;
        for (String function : List.of("sum", "mean", "max", "min")) {
          call(function, x, Shape.of(-1), keep, of(dtype, out));
        }
        call("argmax", x, -1L, keep, of(DType.INT64, out));
      }
    }
    for (long[] shape : new long[][] {{B, H, M, N}, {1, H, M, N}, {B, H, N, N}, {1, H, N, N}}) {
      call("softmax", of(dtype, shape), -1L, of(dtype, shape));
    }
    call("softmax", of(dtype, 1, H, 1, N), -1L, of(dtype, 1, H, 1, N));
  }

  private void images(DType dtype) {
    for (long batch : new long[] {1, B}) {
      for (long[] size : new long[][] {{M, N}, {N, N}}) {
        Tensor x = of(dtype, batch, H, size[0], size[1]);
        Tensor row = of(dtype, H);
        call("batch_norm", x, row, row, row, row, 1L, 1e-5, x);
        call("mean", x, Shape.of(2, 3), true, of(dtype, batch, H, 1, 1));
        call("mean", x, Shape.of(2, 3), false, of(dtype, batch, H));
      }
      Shape two = Shape.of(2, 2);
      Shape one = Shape.of(1, 1);
      Tensor halved = of(dtype, batch, H, 7, 7);
      Tensor square = of(dtype, batch, H, 14, 14);
      call("max_pool2d", square, two, two, Shape.of(0, 0, 0, 0), one, false, halved);
      Shape three = Shape.of(3, 3);
      call("max_pool2d", square, three, two, Shape.of(1, 1, 1, 1), one, false, halved);
      call("avg_pool2d", square, two, two, Shape.of(0, 0, 0, 0), one, false, false, halved);
    }
  }

  private void movement(DType dtype) {
    call("permute_dims", of(dtype, M, N), null, of(dtype, N, M));
    for (long batch : new long[] {1, B}) {
      Tensor three = of(dtype, batch, M, N);
      call("permute_dims", three, Shape.of(0, 2, 1), of(dtype, batch, N, M));
      Tensor heads = of(dtype, batch, M, H, N);
      call("permute_dims", heads, Shape.of(0, 2, 1, 3), of(dtype, batch, H, M, N));
      call("permute_dims", heads, Shape.of(0, 2, 3, 1), of(dtype, batch, H, N, M));
      call("permute_dims", heads, Shape.of(0, 1, 3, 2), of(dtype, batch, M, N, H));
    }
    for (DType index : List.of(DType.INT32, DType.INT64)) {
      Tensor table = of(dtype, H, N);
      for (String mode : List.of("fast", "clip")) {
        call("take", table, of(index, M), 0L, mode, of(dtype, M, N));
        call("take", table, of(index, 1), 0L, mode, of(dtype, 1, N));
        call("take", table, of(index, B, M), 0L, mode, of(dtype, B, M, N));
        call("take", table, of(index, 1, M), 0L, mode, of(dtype, 1, M, N));
        call("take", table, of(index, 1, 1), 0L, mode, of(dtype, 1, 1, N));
      }
    }
    Tuple columns = Tuple.of(of(dtype, M, K), of(dtype, M, N));
    call("concat", columns, -1L, of(dtype, M, K + N));
    Tuple rows = Tuple.of(of(dtype, K, M), of(dtype, N, M));
    call("concat", rows, 0L, of(dtype, K + N, M));
  }

  private Tensor of(DType dtype, long... shape) {
    return DeviceTensors.allocate(allocator, dtype, Shape.of(shape), stream);
  }

  private void call(String function, @Nullable Object... args) {
    library
        .find("relaxvm." + function)
        .orElseThrow(() -> new AssertionError("no function " + function))
        .call(CallArgs.of(args), new CallResult());
  }

  /** Builds nothing, but remembers what it should have. */
  private final class Recorder implements GpuDriver {
    private final CudaDialect dialect = new CudaDialect();

    @Override
    public Device device() {
      return device;
    }

    @Override
    public GpuLimits limits() {
      return PreparedKernels.LIMITS;
    }

    @Override
    public Dialect dialect(boolean wide) {
      return dialect;
    }

    @Override
    public boolean wantsGeneralKernels() {
      return true;
    }

    @Override
    public GpuProgram build(String name, String source) {
      programs.put(PreparedKernels.keyOf(source), source);
      return new NothingToDo();
    }
  }

  private static final class NothingToDo implements GpuProgram {
    @Override
    public void launch(
        String kernel,
        String function,
        Stream stream,
        List<KernelArgument> arguments,
        WorkSize size,
        long sharedBytes) {}

    @Override
    public void close() {}
  }
}
