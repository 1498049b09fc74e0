package org.relaxvm.backendcuda.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.relaxvm.api.DType;
import org.relaxvm.backendsupport.gpu.GemmLimits;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.MatrixUnit;
import org.relaxvm.backendsupport.gpu.codegen.KernelSource;
import org.relaxvm.backendsupport.gpu.codegen.ProgramSource;
import org.relaxvm.backendsupport.gpu.rules.GpuSchedule;
import org.relaxvm.testsupport.Effort;
import org.relaxvm.testsupport.SampleSeed;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.op.LinearOps;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;
import org.relaxvm.tir.text.TirText;

/** Large GEMMs copy beside their work, and multiply on tensor cores. */
class GemmKernelsTest {
  private static final MatrixUnit UNIT =
      new MatrixUnit(Set.of(DType.FLOAT16, DType.BFLOAT16, DType.FLOAT8_E4M3FN, DType.FLOAT8_E5M2));
  private static final long DECLARED = 48 << 10;

  private static GpuLimits limits(long sharedBytes) {
    GemmLimits gemmLimits = new GemmLimits(128, 4, sharedBytes, Optional.of(UNIT));
    return new GpuLimits(1024, DECLARED, 32, 16, 100, Optional.of(gemmLimits));
  }

  private static String program(DType dtype, boolean known, boolean transposed, boolean wide) {
    return program(dtype, 4096, known, transposed, wide, limits(DECLARED));
  }

  private static String program(
      DType dtype, int rows, boolean known, boolean transposed, boolean wide, GpuLimits limits) {
    ProgramSource program = new ProgramSource(new CudaDialect());
    launches(dtype, rows, known, transposed, limits)
        .forEach(launch -> program.add("product", KernelSource.of(launch), wide));
    return program.text();
  }

  /** Those of a GEMM of matrices of extents that are known, or of none that is. */
  private static List<Stmt> launches(
      DType dtype, int rows, boolean known, boolean transposed, GpuLimits limits) {
    KernelBuilder kernel = new KernelBuilder("product");
    PrimExpr m = known ? IntImm.of(rows) : kernel.extent("m");
    PrimExpr k = known ? IntImm.of(1024) : kernel.extent("k");
    PrimExpr n = known ? IntImm.of(4096) : kernel.extent("n");
    TensorExpr a = kernel.input("A", dtype, List.of(m, k));
    TensorExpr b = kernel.input("B", dtype, transposed ? List.of(n, k) : List.of(k, n));
    TensorExpr gemm =
        transposed
            ? LinearOps.linear(kernel, "C", a, b, null)
            : LinearOps.matmul(kernel, "C", a, b, null);
    return GpuSchedule.of(kernel.build(gemm), limits).launches();
  }

  @Test
  void accumulatorsInRegistersAreOfElementsThatAreReadFourAtOnce() {
    assertThat(program(DType.FLOAT32, true, false, false))
        .contains("rv_cp_async<1>(row_slices + ", "rv_cp_async<4>(column_slices + ")
        .contains("rv_cp_async_wait<0>();\n    __syncthreads();")
        .contains("const rv_vector<float, 4> rv_v = *(const rv_vector<float, 4>*)(row_slices + ")
        .contains("fmaf(rows_0[r_1], columns_0[c_1], ");
  }

  /** Registers of more extents would else leave room for one block. */
  @Test
  void largeBlocksOfAccumulatorsLeaveRoomForTwo() {
    assertThat(program(DType.FLOAT32, false, false, false))
        .contains("__launch_bounds__(256, 2)\nproduct_1(", "__launch_bounds__(64)\nproduct_2(");
    assertThat(program(DType.FLOAT16, false, false, false)).contains("__launch_bounds__(128)\n");
  }

  @Test
  void resultsBesideEachOtherAreStoredAtOnce() {
    assertThat(program(DType.FLOAT32, true, false, false))
        .contains("rv_vector<float, 4> rv_v;", "rv_store(rv_v, C + ((row * 4096) + column));")
        .doesNotContain("C[((row * 4096) + column)] =");
    assertThat(program(DType.FLOAT16, true, false, false))
        .contains("rv_vector<unsigned short, 2> rv_v;", "rv_store(rv_v, C + ")
        .doesNotContain("C[((row * 4096) + column)] =");
    assertThat(program(DType.FLOAT32, false, false, false))
        .contains("if (((column + 4) <= n)) {", "rv_store(rv_v, C + ((n * row) + column));")
        .contains("C[((n * row) + column_1)] = result_1;");
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

  /** A thread waits where it uses what it loaded. */
  @Test
  void weightsOfFewRowsAreConvertedWhenAllLoadsAreOnTheirWay() {
    assertThat(program(DType.FLOAT16, 1, true, true, false, limits(DECLARED)))
        .contains("__launch_bounds__(64)")
        .containsSubsequence(
            "if (rv_is_aligned(rv_v0, B + ",
            "rv_load_at_once(rv_v0, B + ",
            "rv_load_at_once(rv_v3, B + ",
            "weights_0[rv_i] = rv_of_f16(rv_v0.at[rv_i]);",
            "weights_3[rv_i] = rv_of_f16(rv_v3.at[rv_i]);",
            "sums[0] = fmaf(",
            "__shfl_xor_sync(");
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
    GpuSchedule.of(TirText.parse(text, "kernel").getFirst(), limits(DECLARED))
        .launches()
        .forEach(launch -> program.add("product", KernelSource.of(launch), false));

    assertThat(program.text())
        .contains("rv_cp_async<4>(column_slices + ")
        .doesNotContain("rv_cp_async<1>(row_slices + ");
  }

  /** Four slices of two operands, of which a program can declare two. */
  @Test
  void moreSharedMemoryIsSizedAtTheLaunch() {
    GpuLimits limits = limits(80 << 10);
    assertThat(program(DType.FLOAT16, 4096, true, false, false, limits))
        .contains("unsigned short* const row_slices = (unsigned short*)(rv_launch_memory() + 0);")
        .contains(
            "unsigned short* const column_slices = (unsigned short*)(rv_launch_memory() + 40960);")
        .contains("rv_cp_async_wait<2>();");
    Stmt launch = launches(DType.FLOAT16, 4096, true, false, limits).getFirst();
    ProgramSource program = new ProgramSource(new CudaDialect());
    assertThat(program.add("product", KernelSource.of(launch), false).launchBytes())
        .isEqualTo(40960 + 4 * 32 * (128 + 8) * 2);
  }

  @Tag("effort")
  @ParameterizedTest
  @ValueSource(ints = {75, 90})
  void thoseOfFewRowsCompileWithoutMemoryForRegisters(int architecture) {
    Nvcc nvcc = Nvcc.needed("products of few rows");
    CudaTarget target = new CudaTarget(architecture / 10, architecture % 10);
    Set<String> programs = new LinkedHashSet<>();
    for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT16)) {
      for (boolean transposed : List.of(false, true)) {
        for (int rows : new int[] {4, 7}) {
          programs.add(program(dtype, rows, true, transposed, false, limits(DECLARED)));
        }
      }
    }
    assertThat(programs).hasSize(8);
    assertThat(
            sample(programs, 2).parallelStream()
                .map(program -> nvcc.registers("product", program, target))
                .toList())
        .allSatisfy(log -> assertThat(log).contains(" 0 bytes spill stores, 0 bytes spill loads"));
  }

  /** The oldest architecture, and the newest that has instructions of its own. */
  @Tag("effort")
  @ParameterizedTest
  @ValueSource(ints = {75, 90})
  void theyCompile(int architecture) {
    compile(new CudaTarget(architecture / 10, architecture % 10));
  }

  @Tag("full")
  @ParameterizedTest
  @ValueSource(ints = {80, 89})
  void theyCompileForArchitecturesBetween(int architecture) {
    compile(new CudaTarget(architecture / 10, architecture % 10));
  }

  /** All programs, or at quick effort some of them: one takes the compiler seconds. */
  private static List<String> sample(Set<String> programs, int size) {
    List<String> chosen = new ArrayList<>(programs);
    if (!Effort.chosen().isComplete()) {
      long seed = SampleSeed.chosen();
      System.out.println(
          "GemmKernelsTest: %d of %d programs, -Drelaxvm.seed=%d"
              .formatted(size, chosen.size(), seed));
      Collections.shuffle(chosen, new Random(seed));
      chosen = chosen.subList(0, size);
    }
    return chosen;
  }

  private static void compile(CudaTarget target) {
    Nvcc nvcc = Nvcc.needed("products");
    Set<String> programs = new LinkedHashSet<>();
    for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16)) {
      for (boolean transposed : List.of(false, true)) {
        for (long sharedBytes : new long[] {DECLARED, 80 << 10}) {
          programs.add(
              program(dtype, 4096, transposed, transposed, !transposed, limits(sharedBytes)));
        }
      }
    }
    String bytes = program(DType.FLOAT8_E4M3FN, false, false, true);
    programs.add(bytes);
    String transposedBytes = program(DType.FLOAT8_E5M2, true, true, false);
    programs.add(transposedBytes);
    assertThat(
            sample(programs, 3).parallelStream()
                .map(program -> nvcc.compile("product", program, target))
                .toList())
        .allSatisfy(image -> assertThat(image).isNotEmpty());
    if (target.isAtLeast(8, 0)) {
      String halves = nvcc.ptx("product", program(DType.FLOAT16, true, false, false), target);
      assertThat(halves)
          .contains("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32")
          .contains("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16")
          .contains("cp.async.cg.shared.global");
    }
    if (target.isAtLeast(8, 9)) {
      assertThat(nvcc.ptx("product", bytes, target))
          .contains("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32");
      assertThat(nvcc.ptx("product", transposedBytes, target))
          .contains("mma.sync.aligned.m16n8k32.row.col.f32.e5m2.e5m2.f32")
          .contains("ldmatrix.sync.aligned.m8n8.x4.shared.b16");
    }
  }
}
