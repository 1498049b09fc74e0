package org.relaxvm.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.api.memory.PooledAllocator;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.spi.Allocator;
import org.relaxvm.api.spi.CapturedWork;
import org.relaxvm.api.spi.CapturingStream;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.api.spi.ModuleLoader;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.op.LinearOps;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;
import org.relaxvm.tir.text.TirText;

/**
 * Kernels on a device of a GPU: what part of the bandwidth of a copy within its memory they reach,
 * how fast products and attention are, which go to a library of the vendor unless an option such as
 * {@code -Drelaxvm.cuda.cublas=off} says otherwise, and how long the host takes for a launch.
 * Prints Markdown tables; takes a minute on a GPU.
 *
 * <p>Arguments: the device, such as {@code cuda:0}; the side of matrices, 4096 unless given, which
 * devices that the host plays need smaller.
 */
public final class DeviceBenchmark {
  private static final int TRIALS = 15;
  private static final double TRIAL_SECONDS = 0.05;
  private static final double WARM_UP_SECONDS = 0.5;
  private static final int LAUNCHES = 1000;

  private final Device device;
  private final Allocator allocator;
  private final Stream stream;
  private final DeviceContext context;
  private final int side;

  private DeviceBenchmark(Device device, Allocator allocator, Stream stream, int side) {
    this.device = device;
    this.allocator = allocator;
    this.stream = stream;
    this.context = new DeviceContext(device, allocator, stream);
    this.side = side;
  }

  /** Runs the benchmark. */
  public static void main(String[] args) {
    String name = args.length > 0 ? args[0] : "cuda:0";
    int side = args.length > 1 ? Integer.parseInt(args[1]) : 4096;
    Device device = BackendRegistry.discover().require(name);
    System.out.println(name + ": " + device.properties().name());
    try (Allocator allocator = new PooledAllocator(device);
        Stream stream = device.openStream()) {
      DeviceBenchmark benchmark = new DeviceBenchmark(device, allocator, stream, side);
      benchmark.bandwidth();
      benchmark.products();
      benchmark.skinnyProducts();
      benchmark.attention();
      benchmark.launches();
    }
  }

  private void bandwidth() {
    System.out.printf("%n| kernel | us | GB/s | part of a copy |%n| --- | --- | --- | --- |%n");
    Shape square = Shape.of(side, side);
    Shape line = Shape.of((long) side * side);
    long bytes = square.elementCount() * Float.BYTES;
    try (Tensor x = random(square);
        Tensor y = random(square);
        Tensor out = random(square);
        Tensor gamma = random(Shape.of(side));
        Tensor beta = random(Shape.of(side));
        Tensor sums = random(Shape.of(side));
        Tensor flatX = x.reshape(line);
        Tensor flatY = y.reshape(line);
        Tensor flatOut = out.reshape(line)) {
      double copy =
          row(
              "copy within memory",
              2 * bytes,
              0,
              () ->
                  device.copyWithin(
                      x.storage().memory(), 0, out.storage().memory(), 0, bytes, stream));
      row(
          "chain of ten operations",
          3 * bytes,
          copy,
          call(GeneratedKernels.chain(), flatX, flatY, flatOut));
      row("softmax of rows", 2 * bytes, copy, call(GeneratedKernels.softmax(), x, out));
      row(
          "layer normalization of rows",
          2 * bytes,
          copy,
          call(GeneratedKernels.layerNorm(), x, gamma, beta, out));
      row("row sums", bytes, copy, call(GeneratedKernels.sums(true), x, sums));
      row("column sums", bytes, copy, call(GeneratedKernels.sums(false), x, sums));
      row("transpose", 2 * bytes, copy, call(GeneratedKernels.transpose(), x, out));
    }
  }

  /** Prints a kernel's row, and returns the bytes that it moves in a second. */
  private double row(String name, long bytes, double copy, Runnable enqueue) {
    double seconds = time(enqueue);
    double rate = bytes / seconds;
    System.out.printf(
        Locale.ROOT,
        "| %s | %.1f | %.0f | %.2f |%n",
        name,
        seconds * 1e6,
        rate / 1e9,
        copy == 0 ? 1 : rate / copy);
    return rate;
  }

  private void products() {
    System.out.printf(
        "%n| product of %d x %d x %d | generated, TFLOP/s | kernel library, TFLOP/s |"
            + " generated / library |%n| --- | --- | --- | --- |%n",
        side, side, side);
    Optional<PackedFunc> library = device.library().find("relaxvm.matmul");
    for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16)) {
      Shape square = Shape.of(side, side);
      try (Tensor a = converted(square, dtype);
          Tensor b = converted(square, dtype);
          Tensor out = converted(square, dtype)) {
        double operations = 2.0 * side * side * side;
        double generated = operations / time(call(matmul(dtype), a, b, out));
        double byLibrary =
            library
                .map(f -> operations / time(call(f, a, b, null, false, false, "none", out)))
                .orElse(Double.NaN);
        System.out.printf(
            Locale.ROOT,
            "| %s | %.3f | %.3f | %.2f |%n",
            dtype,
            generated / 1e12,
            byLibrary / 1e12,
            generated / byLibrary);
      }
    }
  }

  /** Products of few rows, which read the matrix once: what counts is how fast that is. */
  private void skinnyProducts() {
    System.out.printf(
        "%n| product of few rows and %d x %d | dtype | us | GB/s of the matrix |%n"
            + "| --- | --- | --- | --- |%n",
        2 * side, 2 * side);
    for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16)) {
      try (Tensor b = converted(Shape.of(2L * side, 2L * side), dtype)) {
        for (int rows : new int[] {1, 2, 4, 8, 16}) {
          try (Tensor a = converted(Shape.of(rows, 2L * side), dtype);
              Tensor out = converted(Shape.of(rows, 2L * side), dtype)) {
            double seconds = time(call(matmul(dtype), a, b, out));
            System.out.printf(
                Locale.ROOT,
                "| %d | %s | %.1f | %.0f |%n",
                rows,
                dtype,
                seconds * 1e6,
                (double) b.byteSize() / seconds / 1e9);
          }
        }
      }
    }
  }

  private void attention() {
    int length = side / 4;
    System.out.printf(
        "%n| attention of 8 x %d x 16 x 64 | us | TFLOP/s |%n| --- | --- | --- |%n", length);
    PackedFunc function = device.library().find("relaxvm.attention").orElseThrow();
    for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16)) {
      Shape shape = Shape.of(8, length, 16, 64);
      try (Tensor q = converted(shape, dtype);
          Tensor k = converted(shape, dtype);
          Tensor v = converted(shape, dtype);
          Tensor out = converted(shape, dtype)) {
        double seconds = time(call(function, q, k, v, null, null, "none", out));
        System.out.printf(
            Locale.ROOT,
            "| %s | %.1f | %.1f |%n",
            dtype,
            seconds * 1e6,
            4.0 * shape.elementCount() * length / seconds / 1e12);
      }
    }
  }

  /** A product that no library of a vendor is asked for. */
  private static PrimFunc matmul(DType dtype) {
    KernelBuilder kernel = new KernelBuilder("product");
    TensorExpr a = kernel.input("A", dtype, List.of(kernel.extent("m"), kernel.extent("k")));
    TensorExpr b = kernel.input("B", dtype, List.of(a.shape().get(1), kernel.extent("n")));
    return kernel.build(LinearOps.matmul(kernel, "C", a, b, null));
  }

  private void launches() {
    System.out.printf("%n| of a launch | host time, us |%n| --- | --- |%n");
    Shape few = Shape.of(256);
    try (Tensor x = random(few);
        Tensor y = random(few);
        Tensor out = random(few)) {
      Runnable launch = call(GeneratedKernels.chain(), x, y, out);
      Runnable many =
          () -> {
            for (int i = 0; i < LAUNCHES; i++) {
              launch.run();
            }
          };
      hostTime("enqueued by itself", many);
      if (stream instanceof CapturingStream recorder) {
        recorder.beginCapture();
        many.run();
        try (CapturedWork work = recorder.endCapture()) {
          hostTime("of " + work.size() + " in a recording", () -> work.submit(stream));
        }
      }
    }
  }

  /** Until the host can go on, not until the device is done. */
  private void hostTime(String name, Runnable launches) {
    Measure.warmUp(() -> finished(launches), WARM_UP_SECONDS);
    double[] times = new double[TRIALS];
    for (int i = 0; i < TRIALS; i++) {
      times[i] = Measure.time(launches, 1);
      stream.synchronize();
    }
    System.out.printf(Locale.ROOT, "| %s | %.2f |%n", name, Measure.median(times) * 1e6 / LAUNCHES);
  }

  /** Seconds of a call, of many that are enqueued and waited for together. */
  private double time(Runnable enqueue) {
    Measure.warmUp(() -> finished(enqueue), WARM_UP_SECONDS);
    int calls = (int) Math.max(1, TRIAL_SECONDS / Measure.time(() -> finished(enqueue), 1));
    double[] times = new double[TRIALS];
    for (int i = 0; i < TRIALS; i++) {
      times[i] =
          Measure.time(
                  () -> {
                    for (int j = 0; j < calls; j++) {
                      enqueue.run();
                    }
                    stream.synchronize();
                  },
                  1)
              / calls;
    }
    return Measure.median(times);
  }

  private void finished(Runnable enqueue) {
    enqueue.run();
    stream.synchronize();
  }

  private Runnable call(PrimFunc kernel, Object... tensors) {
    byte[] text = TirText.print(kernel).getBytes(UTF_8);
    ModuleImage image = new ModuleImage("tir", List.of(kernel.name()), MemorySegment.ofArray(text));
    return call(
        ((ModuleLoader) device).loadModule(image).find(kernel.name()).orElseThrow(), tensors);
  }

  private Runnable call(PackedFunc function, @Nullable Object... arguments) {
    CallArgs args = CallArgs.of(context, arguments);
    CallResult result = new CallResult();
    return () -> function.call(args, result);
  }

  private Tensor random(Shape shape) {
    try (Tensor host = Measure.random(shape)) {
      return DeviceTensors.copyTo(host, allocator, stream);
    }
  }

  private Tensor converted(Shape shape, DType dtype) {
    Tensor values = random(shape);
    if (dtype.equals(DType.FLOAT32)) {
      return values;
    }
    try (values;
        Tensor zeros = Tensor.zeros(dtype, shape)) {
      Tensor converted = DeviceTensors.copyTo(zeros, allocator, stream);
      call(device.library().find("relaxvm.cast").orElseThrow(), values, converted).run();
      stream.synchronize();
      return converted;
    }
  }
}
