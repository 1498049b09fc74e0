package org.relaxvm.backendcuda;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.memory.DeviceTensors;
import org.relaxvm.api.memory.NaiveAllocator;
import org.relaxvm.api.spi.Backend;
import org.relaxvm.api.spi.Stream;
import org.relaxvm.backendcuda.cublas.CublasSource;
import org.relaxvm.backendcuda.cublas.ImitatedCublas;
import org.relaxvm.backendcuda.emulation.EmulatedCuda;
import org.relaxvm.backendcuda.emulation.NeedsHostCompiler;
import org.relaxvm.backendsupport.gpu.foreign.KernelArgument.Memory;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.fuse.CallOutput;
import org.relaxvm.tir.fuse.KernelFusion;
import org.relaxvm.tir.op.BinaryOps;
import org.relaxvm.tir.op.LinearOps;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** An emulated device with cuBLAS, and tensors on it. */
abstract class CublasFixture {
  @TempDir private static Path folder;
  private static @Nullable ImitatedCublas compiled;

  final EmulatedCuda driver = new EmulatedCuda(1, 8, 0);
  ImitatedCublas cublas;
  Backend backend;
  CudaDevice device;
  NaiveAllocator allocator;
  Stream stream;

  @BeforeAll
  static void compile() throws IOException {
    NeedsHostCompiler.require();
    compiled = ImitatedCublas.compile(folder);
  }

  @BeforeEach
  void open() {
    cublas = Objects.requireNonNull(compiled);
    open(cublas.found(driver));
  }

  private void open(CublasSource found) {
    backend = EmulatedGpu.provider(driver, () -> found).open();
    device = (CudaDevice) backend.devices().getFirst();
    allocator = new NaiveAllocator(device);
    stream = device.openStream();
  }

  @AfterEach
  void close() {
    cublas.fail(0);
    stream.close();
    allocator.close();
    backend.close();
    assertThat(cublas.handles()).as("handles of cuBLAS").isZero();
    assertThat(cublas.objects()).as("objects of cuBLASLt").isZero();
    awaitNoHandles();
  }

  /** Memory of a pool goes back when its stream gets to it. */
  private void awaitNoHandles() {
    long end = System.nanoTime() + 10_000_000_000L;
    while (!driver.liveHandles().isEmpty() && System.nanoTime() < end) {
      Thread.onSpinWait();
    }
    assertThat(driver.liveHandles()).isEmpty();
  }

  void reopenWith(CublasSource found) {
    stream.close();
    allocator.close();
    backend.close();
    open(found);
  }

  /** Numbers that all dtypes have, whose products and sums float32 has. */
  static double element(long number) {
    return (number * 7 % 33) / 8.0 - 2;
  }

  Tensor operand(DType dtype, Shape shape) {
    double[] values = new double[(int) shape.elementCount()];
    for (int i = 0; i < values.length; i++) {
      values[i] = element(i);
    }
    return onDevice(dtype, shape, values);
  }

  Tensor onDevice(DType dtype, Shape shape, double[] values) {
    byte[] bytes = new byte[values.length * dtype.elementByteSize()];
    MemorySegment target = MemorySegment.ofArray(bytes);
    for (int i = 0; i < values.length; i++) {
      Numbers.set(target, dtype, i, values[i]);
    }
    try (Tensor host = Tensor.of(bytes, dtype, shape)) {
      return DeviceTensors.copyTo(host, allocator, stream);
    }
  }

  Tensor empty(DType dtype, long... dims) {
    Shape shape = Shape.of(dims);
    return onDevice(dtype, shape, new double[(int) shape.elementCount()]);
  }

  static List<Double> content(Tensor tensor) {
    try (Tensor host = tensor.toHost()) {
      List<Double> all = new ArrayList<>();
      for (int i = 0; i < host.elementCount(); i++) {
        all.add(Numbers.get(host.segment(), host.dtype(), i));
      }
      return all;
    }
  }

  static Shape shape(String text) {
    return Shape.of(Arrays.stream(text.split(";", -1)).mapToLong(Long::parseLong).toArray());
  }

  static Memory memory(Tensor tensor) {
    return new Memory(tensor.storage().memory(), tensor.byteOffset());
  }

  /** An operator of one tensor. */
  interface Operator {
    TensorExpr of(KernelBuilder k, String name, TensorExpr x);
  }

  /** A kernel of squares of 64 rows: a GEMM with a bias and a function after it, fused. */
  static PrimFunc fused(String name, DType dtype, Operator operator) {
    List<PrimExpr> square = List.of(IntImm.of(64), IntImm.of(64));
    List<PrimExpr> row = List.of(IntImm.of(64));
    List<CallOutput> one = List.of(CallOutput.fresh(dtype, square));
    KernelBuilder k = new KernelBuilder("matmul");
    TensorExpr left = k.input("A", dtype, square);
    PrimFunc matmul = k.build(LinearOps.matmul(k, "C", left, k.input("B", dtype, square), null));
    k = new KernelBuilder("add");
    TensorExpr accumulators = k.input("A", dtype, square);
    PrimFunc add = k.build(BinaryOps.add(k, "T", accumulators, k.input("B", dtype, row)));
    k = new KernelBuilder("each");
    PrimFunc each = k.build(operator.of(k, "T", k.input("A", dtype, square)));
    KernelFusion fusion = new KernelFusion(name);
    Buffer a = fusion.input("a", dtype, square);
    Buffer b = fusion.input("b", dtype, square);
    Buffer bias = fusion.input("bias", dtype, row);
    Buffer gemm = fusion.call(matmul, List.of(a, b), List.of(), one).getFirst();
    Buffer biased = fusion.call(add, List.of(gemm, bias), List.of(), one).getFirst();
    Buffer result = fusion.call(each, List.of(biased), List.of(), one).getFirst();
    return fusion.build(List.of(result), List.of());
  }
}
