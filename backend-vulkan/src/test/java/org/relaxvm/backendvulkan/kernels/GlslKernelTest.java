package org.relaxvm.backendvulkan.kernels;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.relaxvm.backendsupport.gpu.GpuLimits;
import org.relaxvm.backendsupport.gpu.codegen.KernelSource;
import org.relaxvm.backendsupport.gpu.codegen.ProgramSource;
import org.relaxvm.backendsupport.gpu.rules.GpuSchedule;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.stmt.Stmt;
import org.relaxvm.tir.text.TirText;

/** How programs become shaders, what these are given and what they need. */
class GlslKernelTest {
  private static final GpuLimits LIMITS = new GpuLimits(32, 32 << 10, 1, 1, 2);

  private static final String EXP =
      """
      def main(A: T.Buffer((n,), "float32"), C: T.Buffer((n,), "float32")):
          n = T.int64()
          for i in range(n):
              with T.block("C"):
                  v = T.axis.spatial(n, i)
                  C[v] = T.exp(A[v])
      """;

  private static final String DIVISION =
      """
      def main(A: T.Buffer((n,), "int64"), C: T.Buffer((n,), "int64")):
          n = T.int64()
          for i in range(n):
              with T.block("C"):
                  v = T.axis.spatial(n, i)
                  C[v] = A[v] // A[n - 1 - v]
      """;

  private static final String SCALARS =
      """
      def main(A: T.Buffer((n,), "int8"), f: T.bool, d: T.float64, h: T.float16, gl_Position: T.int8, C: T.Buffer((n,), "float64")):
          n = T.int64()
          for i in range(n):
              with T.block("C"):
                  v = T.axis.spatial(n, i)
                  C[v] = T.Select(f, d, T.Cast("float64", h)) + T.Cast("float64", A[v] + gl_Position)
      """;

  private static List<GlslKernel> kernels(GlslTarget target, String... texts) {
    ProgramSource program = new ProgramSource(new GlslDialect(target));
    for (String text : texts) {
      PrimFunc kernel = TirText.parse("@T.prim_func(private=True)\n" + text, "main").getFirst();
      for (Stmt launch : GpuSchedule.of(kernel, LIMITS).launches()) {
        program.add("k", KernelSource.of(launch), target.addressed());
      }
    }
    return GlslKernel.of(program.text());
  }

  private static void requireCompiles(GlslKernel kernel) {
    assertThat(ShaderCompiler.compile(kernel.name(), kernel.shader(), Targets.EXACT)).isNotEmpty();
  }

  @Test
  void eachKernelBringsAlongWhatItUsesItself() {
    List<GlslKernel> kernels = kernels(new GlslTarget(true, 128, false), EXP, DIVISION);
    assertThat(kernels).extracting(GlslKernel::name).containsExactly("k_0", "k_1");
    assertThat(kernels.get(0).shader())
        .contains("rv_exp32(float")
        .doesNotContain("rv_floordiv_int64", "k_1");
    assertThat(ShaderFeature.of(kernels.get(0))).isEmpty();
    assertThat(kernels.get(1).shader())
        .contains("rv_floordiv_int64(int64_t a", "rv_rem_int64(int64_t a")
        .doesNotContain("rv_exp32", "k_0");
    assertThat(ShaderFeature.of(kernels.get(1))).containsExactly(ShaderFeature.INT64);
    assertThat(kernels).allSatisfy(GlslKernelTest::requireCompiles);
  }

  @Test
  void buffersAreBoundInOrder() {
    GlslKernel kernel = kernels(new GlslTarget(true, 128, false), EXP).getFirst();
    assertThat(kernel.shape())
        .isEqualTo(new KernelInterface("main", 2, false, 16, false, false, 32));
    assertThat(kernel.shader())
        .contains(
            "layout(set = 0, binding = 0, std430) buffer rv_buffer0 { float C[]; };",
            "layout(set = 0, binding = 1, std430) readonly buffer rv_buffer1 { float A[]; };",
            "layout(push_constant, std430) uniform rv_arguments {\n  int C_at;\n  int A_at;\n");
  }

  @Test
  void addressesAreArgumentsInOrder() {
    GlslKernel kernel = kernels(new GlslTarget(true, 48, true), EXP).getFirst();
    assertThat(kernel.shape())
        .isEqualTo(new KernelInterface("main", 2, true, 48, false, false, 32));
    assertThat(kernel.shader()).contains("  uint64_t C;\n  int64_t C_at;\n  uint64_t A;\n");
    assertThat(ShaderFeature.of(kernel))
        .isEqualTo(Set.of(ShaderFeature.INT64, ShaderFeature.ADDRESSES));
    requireCompiles(kernel);
  }

  @Test
  void argumentsThatAreTooManyAreInABuffer() {
    GlslKernel bound = kernels(new GlslTarget(true, 8, false), EXP).getFirst();
    assertThat(bound.shape().uniform()).isTrue();
    assertThat(bound.shape().uniformBinding()).isEqualTo(2);
    assertThat(bound.shader()).contains("layout(set = 0, binding = 2, std140) uniform");
    GlslKernel addressed = kernels(new GlslTarget(true, 36, true), EXP).getFirst();
    assertThat(addressed.shape().uniform()).isTrue();
    assertThat(addressed.shape().uniformBinding()).isZero();
    assertThat(addressed.shader()).contains("layout(set = 0, binding = 0, std140) uniform");
    requireCompiles(bound);
    requireCompiles(addressed);
  }

  @Test
  void numbersLieAtTheirNaturalOffsets() {
    GlslKernel exact = kernels(new GlslTarget(true, 128, false), SCALARS).getFirst();
    // A_at, C_at, then f, d, h, the int8 and n in some order: one number of 8 bytes.
    assertThat(exact.shape().argumentBytes()).isBetween(36, 40);
    assertThat(exact.shader())
        .contains("  uint rv_f;\n", "  double d;\n", "  float h;\n", "  int vgl_Position;\n")
        .contains("  const bool f = rv_f != 0u;\n");
    requireCompiles(exact);
    GlslKernel without = kernels(new GlslTarget(false, 128, false), SCALARS).getFirst();
    assertThat(without.shape().argumentBytes()).isEqualTo(32);
    assertThat(ShaderFeature.of(without)).containsExactly(ShaderFeature.STORAGE8);
    requireCompiles(without);
  }

  @Test
  void aProgramWithoutKernelsHasNone() {
    assertThat(GlslKernel.of("#version 460\n")).isEmpty();
  }

  @Test
  void manyKernelsAreTakenApart() {
    String[] texts = IntStream.range(0, 12).mapToObj(i -> EXP).toArray(String[]::new);
    assertThat(
            kernels(new GlslTarget(true, 128, false), texts).stream()
                .map(GlslKernel::name)
                .collect(Collectors.toSet()))
        .hasSize(12);
  }
}
