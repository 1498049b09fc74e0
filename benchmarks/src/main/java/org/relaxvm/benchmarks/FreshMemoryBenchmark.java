package org.relaxvm.benchmarks;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.VmContext;
import org.relaxvm.api.host.HostDevice;
import org.relaxvm.api.parallel.WorkerPool;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.spi.Device;
import org.relaxvm.api.spi.DeviceMemory;

/**
 * The first writes to large tensors, and a GEMM whose operands were just allocated: in blocks of
 * the CPU device, beside the same in memory of the C library. Prints a Markdown table: the fastest
 * and the median of some rounds in milliseconds, and the median of the ratios. {@code
 * -Drelaxvm.cpu.pin=true} pins the workers.
 */
public final class FreshMemoryBenchmark {
  private static final int ROUNDS = 30;
  private static final int WARM_UP_ROUNDS = 2;
  private static final Shape LARGE = Shape.of(64L << 20);
  private static final Shape SQUARE = Shape.of(2048, 2048);

  /** Memory for one round. */
  private interface Memory extends AutoCloseable {
    MemorySegment allocate(long bytes);

    @Override
    void close();
  }

  /** Something to time. */
  private interface Round {
    void run(Memory memory);
  }

  private static final class OfLibrary implements Memory {
    private final Arena arena = Arena.ofShared();

    @Override
    public MemorySegment allocate(long bytes) {
      return HostDevice.allocateNative(arena, bytes, HostDevice.ALIGNMENT);
    }

    @Override
    public void close() {
      arena.close();
    }
  }

  private static final class OfDevice implements Memory {
    private final Device device;
    private final List<DeviceMemory> blocks = new ArrayList<>();

    OfDevice(Device device) {
      this.device = device;
    }

    @Override
    public MemorySegment allocate(long bytes) {
      DeviceMemory block = device.allocate(bytes, HostDevice.ALIGNMENT, "");
      blocks.add(block);
      return HostDevice.segmentOf(block);
    }

    @Override
    public void close() {
      blocks.forEach(device::free);
    }
  }

  private final Device device = BackendRegistry.discover().require("cpu:0");
  private final VmContext context = new KernelContext(WorkerPool.shared());
  private final CallResult result = new CallResult();
  private final Tensor values = Measure.random(SQUARE);

  private final int rounds;

  private FreshMemoryBenchmark(int rounds) {
    this.rounds = rounds;
  }

  /** Runs the benchmark; an argument is the number of rounds, 30 without one. */
  public static void main(String[] args) {
    int rounds = args.length == 0 ? ROUNDS : Integer.parseInt(args[0]);
    FreshMemoryBenchmark benchmark = new FreshMemoryBenchmark(rounds);
    System.out.println("| what | C library, fastest | median | device, fastest | median | ratio |");
    System.out.println("| --- | ---: | ---: | ---: | ---: | ---: |");
    benchmark.row(
        "first write of 256 MiB by one thread",
        memory -> tensor(memory, LARGE).segment().fill((byte) 1));
    benchmark.compareKernels();
    benchmark.row("GEMM 2048^3, operands just allocated and copied", benchmark::freshMatmul);
    benchmark.compareMatmuls();
  }

  private void row(String name, Round round) {
    compare(name, round, round);
  }

  /** Runs the first in memory of the C library, and the second in blocks of the device. */
  private void compare(String name, Round first, Round second) {
    double[] ofLibrary = new double[rounds];
    double[] ofDevice = new double[rounds];
    double[] ratios = new double[rounds];
    for (int i = -WARM_UP_ROUNDS; i < rounds; i++) {
      double library = milliseconds(first, new OfLibrary());
      double blocks = milliseconds(second, new OfDevice(device));
      if (i >= 0) {
        ofLibrary[i] = library;
        ofDevice[i] = blocks;
        ratios[i] = blocks / library;
      }
    }
    System.out.printf(
        Locale.ROOT,
        "| %s | %.1f | %.1f | %.1f | %.1f | %.2f |%n",
        name,
        Arrays.stream(ofLibrary).min().orElseThrow(),
        Measure.median(ofLibrary),
        Arrays.stream(ofDevice).min().orElseThrow(),
        Measure.median(ofDevice),
        Measure.median(ratios));
  }

  private static double milliseconds(Round round, Memory memory) {
    try (memory) {
      long start = System.nanoTime();
      round.run(memory);
      return (System.nanoTime() - start) * 1e-6;
    }
  }

  private static Tensor tensor(Memory memory, Shape shape) {
    long bytes = DType.FLOAT32.byteSize(shape.elementCount());
    return Tensor.wrap(memory.allocate(bytes), DType.FLOAT32, shape);
  }

  private PackedFunc kernel(String name) {
    return device.library().find(name).orElseThrow();
  }

  private void compareKernels() {
    PackedFunc negative = kernel("relaxvm.negative");
    try (Memory memory = new OfDevice(device)) {
      Tensor source = tensor(memory, LARGE);
      source.segment().fill((byte) 1);
      row(
          "first write of 256 MiB by `relaxvm.negative`",
          target ->
              negative.call(
                  CallArgs.of(context, new Object[] {source, tensor(target, LARGE)}), result));
    }
  }

  private Round matmul(Memory memory) {
    PackedFunc matmul = kernel("relaxvm.matmul");
    Tensor left = tensor(memory, SQUARE);
    Tensor right = tensor(memory, SQUARE);
    Tensor out = tensor(memory, SQUARE);
    left.segment().copyFrom(values.segment());
    right.segment().copyFrom(values.segment());
    Object[] args = {left, right, null, false, false, "none", out};
    return _ -> matmul.call(CallArgs.of(context, args), result);
  }

  private void freshMatmul(Memory memory) {
    matmul(memory).run(memory);
  }

  private void compareMatmuls() {
    try (Memory library = new OfLibrary();
        Memory blocks = new OfDevice(device)) {
      compare("GEMM 2048^3, operands used before", matmul(library), matmul(blocks));
    }
  }
}
