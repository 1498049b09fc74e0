package org.relaxvm.backendcuda.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.DType;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.MatrixUnit;
import org.relaxvm.backendsupport.gpu.ProductLimits;
import org.relaxvm.backendsupport.gpu.rules.GpuSchedule;
import org.relaxvm.backendsupport.gpu.source.KernelSource;
import org.relaxvm.backendsupport.gpu.source.ProgramSource;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.nn.LinearOps;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;
import org.relaxvm.tir.text.TirText;

/** Large products copy beside their work, and multiply on tensor cores. */
class ProductKernelsTest {
  private static final MatrixUnit UNIT =
      new MatrixUnit(Set.of(DType.FLOAT16, DType.BFLOAT16, DType.FLOAT8_E4M3FN, DType.FLOAT8_E5M2));
  private static final GpuLimits LIMITS =
      new GpuLimits(
          1024, 48 << 10, 32, 16, 100, Optional.of(new ProductLimits(128, 3, Optional.of(UNIT))));

  /** A product of matrices of extents that are known, or of none that is. */
  private static String program(DType dtype, boolean known, boolean turned, boolean wide) {
    KernelBuilder kernel = new KernelBuilder("product");
    PrimExpr m = known ? IntImm.of(4096) : kernel.extent("m");
    PrimExpr k = known ? IntImm.of(1024) : kernel.extent("k");
    PrimExpr n = known ? IntImm.of(4096) : kernel.extent("n");
    TensorExpr a = kernel.input("A", dtype, List.of(m, k));
    TensorExpr b = kernel.input("B", dtype, turned ? List.of(n, k) : List.of(k, n));
    TensorExpr product =
        turned
            ? LinearOps.linear(kernel, "C", a, b, null)
            : LinearOps.matmul(kernel, "C", a, b, null);
    ProgramSource program = new ProgramSource(new CudaDialect());
    GpuSchedule.of(kernel.build(product), LIMITS)
        .launches()
        .forEach(launch -> program.add("product", KernelSource.of(launch), wide));
    return program.text();
  }

  @Test
  void sumsInRegistersAreOfElementsThatAreReadFourAtOnce() {
    assertThat(program(DType.FLOAT32, true, false, false))
        .contains("rv_cp_async<1>(row_slices + ", "rv_cp_async<4>(column_slices + ")
        .contains("rv_cp_async_wait<0>();\n    __syncthreads();")
        .contains("const rv_vector<float, 4> rv_v = *(const rv_vector<float, 4>*)(row_slices + ")
        .contains("fmaf(rows_0[r_1], columns_0[c_1], ");
  }

  @Test
  void tensorCoresTakeOperandsAsTheyLieInMemory() {
    assertThat(program(DType.FLOAT16, true, false, false))
        .contains("__shared__ __align__(16) unsigned short row_slices[10240];")
        .contains("rv_mma_f16<4, 8, 40, 1, 1, 136>(sums, row_slices + ");
    assertThat(program(DType.BFLOAT16, true, true, false))
        .contains("rv_mma_bf16<4, 8, 40, 1, 40, 1>(sums, row_slices + ");
  }

  /** They lie beside each other along the depth where that can be, for which there is a load. */
  @Test
  void tensorCoresTakeFloatsOfEightBits() {
    assertThat(program(DType.FLOAT8_E4M3FN, true, false, false))
        .contains("__shared__ __align__(16) unsigned char row_slices[20480];")
        .contains("rv_cp_async<16>(row_slices + ")
        .contains("rv_mma_e4m3<4, 8, 80, 1, 1, 144>(sums, row_slices + ");
    assertThat(program(DType.FLOAT8_E5M2, true, true, false))
        .contains("rv_mma_e5m2<4, 8, 80, 1, 80, 1>(sums, row_slices + ");
  }

  @Test
  void elementsOutsideOfAnOperandAreNotRead() {
    assertThat(program(DType.FLOAT16, false, false, false))
        .contains("((at_4 < m) ? rv_min_int32(8, rv_max_int32(0, (k - k_5))) : 0));");
  }

  /** Elements that are looked up may lie anywhere, and do not lie beside each other. */
  @Test
  void whatIsNoPlainCopyIsWrittenAsItIs() {
    String text =
        """
        @T.prim_func
        def looked_up(A: T.Buffer((256, 256), "float32"), P: T.Buffer((256,), "int64"), B: T.Buffer((256, 256), "float32"), C: T.Buffer((256, 256), "float32")):
            for i, j, k in T.grid(256, 256, 256):
                with T.block("C"):
                    a, b, r = T.axis.remap("SSR", [i, j, k])
                    with T.init():
                        C[a, b] = T.float32(0)
                    C[a, b] = C[a, b] + A[P[a], r] * B[r, b]
        """;
    ProgramSource program = new ProgramSource(new CudaDialect());
    GpuSchedule.of(TirText.parse(text, "kernel").getFirst(), LIMITS)
        .launches()
        .forEach(launch -> program.add("product", KernelSource.of(launch), false));

    assertThat(program.text())
        .contains("rv_cp_async<4>(column_slices + ")
        .doesNotContain("rv_cp_async<1>(row_slices + ");
  }

  @ParameterizedTest
  @ValueSource(ints = {75, 80, 89, 90})
  void theyCompile(int architecture) {
    Nvcc nvcc = Nvcc.needed("products");
    CudaTarget target = new CudaTarget(architecture / 10, architecture % 10);
    for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16)) {
      for (boolean turned : List.of(false, true)) {
        String program = program(dtype, turned, turned, !turned);
        assertThat(nvcc.compile("product", program, target)).isNotEmpty();
      }
    }
    String bytes = program(DType.FLOAT8_E4M3FN, false, false, true);
    assertThat(nvcc.compile("product", bytes, target)).isNotEmpty();
    String turnedBytes = program(DType.FLOAT8_E5M2, true, true, false);
    assertThat(nvcc.compile("product", turnedBytes, target)).isNotEmpty();
    if (architecture >= 80) {
      String halves = nvcc.ptx("product", program(DType.FLOAT16, true, false, false), target);
      assertThat(halves)
          .contains("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
          .contains("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16")
          .contains("cp.async.cg.shared.global");
    }
    if (architecture >= 89) {
      assertThat(nvcc.ptx("product", bytes, target))
          .contains("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32");
      assertThat(nvcc.ptx("product", turnedBytes, target))
          .contains("mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32")
          .contains("ldmatrix.sync.aligned.m8n8.x4.shared.b16");
    }
  }
}
