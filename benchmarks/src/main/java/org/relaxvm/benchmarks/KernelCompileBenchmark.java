package org.relaxvm.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.spi.Module;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.api.spi.ModuleLoader;

/**
 * Time to turn the text of a kernel into code of the CPU, in a JVM that has done it often: reading
 * and checking, and with the first call also arranging loops and generating a class. Tensors are
 * empty or tiny, so that the kernel itself does next to nothing.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(3)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 1)
public class KernelCompileBenchmark {
  private static final String FIRST_LINE = "    with T.block(\"root\"):";

  /** Which kernel. */
  @Param({
    "chain",
    "softmax",
    "layer_norm",
    "row_sum",
    "column_sum",
    "transpose",
    "matmul_static",
    "matmul",
    "gather"
  })
  public String kernel = "";

  private @Nullable ModuleLoader loader;
  private @Nullable WorkerPool workers;
  private String text = "";
  private long number;

  /** Finds the device and reads the text. */
  @Setup(Level.Trial)
  public void open() {
    loader = (ModuleLoader) BackendRegistry.discover().require("cpu:0");
    workers = WorkerPool.ofThreads(1);
    String name = "kernels/" + kernel + ".tir";
    try (InputStream in =
        Objects.requireNonNull(KernelCompileBenchmark.class.getResourceAsStream(name), name)) {
      text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends the threads. */
  @TearDown(Level.Trial)
  public void close() {
    Objects.requireNonNull(workers).close();
  }

  /** Reads and checks a kernel. */
  @Benchmark
  public Module load() {
    // Each is another kernel: the device keeps the code of those that it has seen.
    String own = "    T.func_attr({\"number\": " + number++ + "})\n" + FIRST_LINE;
    byte[] image = text.replace(FIRST_LINE, own).getBytes(StandardCharsets.UTF_8);
    return Objects.requireNonNull(loader)
        .loadModule(new ModuleImage("tir", List.of(symbol()), MemorySegment.ofArray(image)));
  }

  /** Reads and checks a kernel, generates its code and calls it. */
  @Benchmark
  public CallResult loadAndCall() {
    CallArgs args = CallArgs.of(new KernelContext(Objects.requireNonNull(workers)), arguments());
    CallResult result = new CallResult();
    load().find(symbol()).orElseThrow().call(args, result);
    return result;
  }

  private String symbol() {
    int start = text.indexOf("def ") + "def ".length();
    return text.substring(start, text.indexOf('(', start));
  }

  private Object[] arguments() {
    return switch (kernel) {
      case "chain" -> new Object[] {zeros(0, 3), zeros(0, 3), zeros(0, 3)};
      case "softmax" -> new Object[] {zeros(0, 2, 3), zeros(0, 2, 3)};
      case "layer_norm" -> new Object[] {zeros(0, 24), zeros(24), zeros(24), zeros(0, 24)};
      case "row_sum" -> new Object[] {zeros(0, 7, 3), zeros(0)};
      case "column_sum" -> new Object[] {zeros(3, 0), zeros(0)};
      case "transpose" -> new Object[] {zeros(0, 3), zeros(3, 0)};
      case "matmul_static" -> new Object[] {zeros(8, 5), zeros(5, 9), zeros(8, 9)};
      case "matmul" -> new Object[] {zeros(0, 3), zeros(3, 2), zeros(0, 2)};
      case "gather" ->
          new Object[] {zeros(3, 2), Tensor.zeros(DType.INT64, Shape.of(0)), zeros(0, 2)};
      default -> throw new IllegalArgumentException("there is no kernel " + kernel);
    };
  }

  private static Tensor zeros(long... shape) {
    return Tensor.zeros(DType.FLOAT32, Shape.of(shape));
  }
}
