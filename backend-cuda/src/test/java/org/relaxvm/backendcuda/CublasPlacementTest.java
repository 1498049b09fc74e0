package org.relaxvm.backendcuda;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.registry.BackendRegistry;
import org.relaxvm.api.spi.ModuleImage;
import org.relaxvm.builtins.BuiltinFunctions;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.ActivationOps;
import org.relaxvm.tir.op.LinearOps;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;
import org.relaxvm.tir.text.TirText;
import org.relaxvm.vmcore.program.KernelModule;
import org.relaxvm.vmcore.program.Program;
import org.relaxvm.vmcore.program.ProgramMetadata;
import org.relaxvm.vmcore.text.Assembler;
import org.relaxvm.vmcore.vm.VirtualMachine;

/** What a user sees of a program with GEMMs that cuBLAS computes. */
class CublasPlacementTest extends CublasFixture {
  private static final String BYTECODE =
      """
      @main(a, b, bias):
        call  vm.builtin.alloc_storage  in: %vm, shape[16384], i0, dtype uint8, "global" dst: %3
        call  vm.builtin.alloc_tensor   in: %3, i0, shape[64, 64], dtype float32 dst: %4
        call  product  in: %0, %1, %4 dst: %void
        call  vm.builtin.alloc_storage  in: %vm, shape[16384], i0, dtype uint8, "global" dst: %5
        call  vm.builtin.alloc_tensor   in: %5, i0, shape[64, 64], dtype float32 dst: %6
        call  cut  in: %4, %1, %2, %6 dst: %void
        call  other  in: %6, %1, %2, %4 dst: %void
        call  doubled  in: %6, %4 dst: %void
        call  relaxvm.matmul  in: %4, %1, %2, i0, i0, "relu", %6 dst: %void
        call  relaxvm.add  in: %6, %4, %6 dst: %void
        ret   %6
      """;

  private static final List<PrimExpr> SQUARE = List.of(IntImm.of(64), IntImm.of(64));

  private static ModuleImage image() {
    KernelBuilder gemm = new KernelBuilder("product");
    TensorExpr a = gemm.input("A", DType.FLOAT32, SQUARE);
    TensorExpr b = gemm.input("B", DType.FLOAT32, SQUARE);
    KernelBuilder doubled = new KernelBuilder("doubled");
    TensorExpr x = doubled.input("X", DType.FLOAT32, SQUARE);
    String text =
        TirText.print(
            List.of(
                gemm.build(LinearOps.matmul(gemm, "C", a, b, null)),
                fused("cut", DType.FLOAT32, ActivationOps::relu),
                fused("other", DType.FLOAT32, ActivationOps::sigmoid),
                doubled.build(doubled.compute("Y", SQUARE, i -> Exprs.add(x.at(i), x.at(i))))));
    return new ModuleImage(
        "tir",
        List.of("product", "cut", "other", "doubled"),
        MemorySegment.ofArray(text.getBytes(UTF_8)));
  }

  private static float[] filled() {
    float[] ones = new float[64];
    Arrays.fill(ones, 1);
    return ones;
  }

  @Test
  void placementSaysWhoMultiplies() {
    Program program =
        Program.of(
            Assembler.parse(BYTECODE),
            ProgramMetadata.EMPTY,
            List.of(new KernelModule("cuda", image())));
    try (BackendRegistry registry =
            BackendRegistry.builder()
                .add(EmulatedGpu.provider(driver, () -> cublas.found(driver)))
                .add(new HostProvider())
                .add(new BuiltinFunctions())
                .build();
        VirtualMachine vm =
            VirtualMachine.builder(program).registry(registry).device("cuda:0").build()) {
      assertThat(vm.placement().toString().replaceAll("provider builtins \\(.*\\)", "builtins"))
          .isEqualTo(
              """
              devices:
                0: cuda:0
                  driver: CUDA 12.6
                  compute capability: 8.0
                  uuid: GPU-00000000-0000-0000-0000-000000000000
                  type: GPU
                  multiprocessors: 8
                  alignment: 256 bytes
                  shared memory: 48 KiB, 227 KiB at most
                  L2 cache: 1024 KiB
                  largest group: 1024 threads in warps of 32
                  memory pool: yes
                1: cpu:0
              functions:
                main: bytecode of the program
                vm.builtin.alloc_storage: builtins
                vm.builtin.alloc_tensor: builtins
                product: kernels of the program on cuda:0; large products by cuBLAS 12.6.4, on cuda:0
                cut: kernels of the program on cuda:0; large products by cuBLASLt 12.6.4, on cuda:0
                other: kernels of the program on cuda:0, on cuda:0
                doubled: kernels of the program on cuda:0, on cuda:0
                relaxvm.matmul: kernel library of cuda:0; large products by cuBLAS 12.6.4, with bias or\
               relu by cuBLASLt 12.6.4, on cuda:0
                relaxvm.add: kernel library of cuda:0, on cuda:0
              inputs:
                main on cuda:0, host tensors are copied there: a, b, bias
              constants:
                c[0]: [16384]
                c[1]: uint8
                c[2]: global
                c[3]: [64, 64]
                c[4]: float32
                c[5]: relu
              allocations:
                main on cuda:0: 2 storages, 32768 bytes\
              """);
      try (Tensor square = Tensor.zeros(DType.FLOAT32, Shape.of(64, 64));
          Tensor ones = Tensor.of(filled(), Shape.of(64));
          Tensor a = vm.upload(square);
          Tensor row = vm.upload(ones);
          Tensor out = vm.function("main").call(a, a, row).asTensor()) {
        // All products are 0: relu(1), and the double of relu(1).
        assertThat(out.toHost().toFloatArray()).containsOnly(3f);
      }
      assertThat(cublas.gemms()).isEqualTo(1);
      assertThat(cublas.ltGemms()).isEqualTo(2);
    }
  }
}
