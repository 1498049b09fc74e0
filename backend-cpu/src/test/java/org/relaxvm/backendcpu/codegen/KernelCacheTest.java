package org.relaxvm.backendcpu.codegen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.backendcpu.invocation.KernelFunction;
import org.relaxvm.tir.PrimFunc;

/** Kernels of the same structure share their code, and no others. */
class KernelCacheTest {
  private static final String TEXT =
      """
      @T.prim_func(private=True)
      def first(A: T.Buffer((n,), "float32"), C: T.Buffer((n,), "float32")):
          n = T.int64()
          for i in range(n):
              C[i] = A[i] + T.float32(1)
      """;

  private static final String CHECKED =
      """
      @T.prim_func(private=True)
      def first(A: T.Buffer((n,), "float32"), P: T.Buffer((n,), "int64"), C: T.Buffer((n,), "float32")):
          n = T.int64()
          for i in range(n):
              C[i] = A[P[i]]
      """;

  private final KernelCompiler compiler = GeneratedKernels.compiler();

  private KernelFunction compile(String text) {
    PrimFunc kernel = GeneratedKernels.kernel(text);
    return (KernelFunction) compiler.compile(kernel, name -> Optional.empty());
  }

  private static float[] run(KernelFunction kernel) {
    Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(3));
    GeneratedKernels.call(kernel, null, List.of(Tensor.of(new float[3], Shape.of(3)), out));
    return out.toFloatArray();
  }

  @Test
  void kernelsWithOtherNamesShareCode() {
    KernelFunction first = compile(TEXT);
    KernelFunction second = compile(TEXT.replace("first", "second").replace("A", "X"));
    assertThat(compiler.kept()).isEqualTo(1);
    assertThat(run(first)).containsExactly(1, 1, 1);
    assertThat(run(second)).containsExactly(1, 1, 1);
    Tensor wrong = Tensor.zeros(DType.FLOAT32, Shape.of(2, 2));
    assertThatThrownBy(() -> GeneratedKernels.call(second, null, List.of(wrong, wrong)))
        .hasMessage(
            "the parameter X: expected 1 axis, but got 2, of the shape [2, 2]\n  at kernel second");
    assertThatThrownBy(() -> GeneratedKernels.call(first, null, List.of(wrong, wrong)))
        .hasMessage(
            "the parameter A: expected 1 axis, but got 2, of the shape [2, 2]\n  at kernel first");
  }

  @Test
  void kernelsThatDifferDoNot() {
    KernelFunction one = compile(TEXT);
    KernelFunction two = compile(TEXT.replace("T.float32(1)", "T.float32(2)"));
    compile(TEXT.replace("range(n)", "T.parallel(n)"));
    compile(TEXT.replace("float32", "float64"));
    assertThat(compiler.kept()).isEqualTo(4);
    assertThat(run(one)).containsExactly(1, 1, 1);
    assertThat(run(two)).containsExactly(2, 2, 2);
  }

  @Test
  void codeThatNamesBuffersIsNotShared() {
    compile(CHECKED);
    KernelFunction second = compile(CHECKED.replace("first", "second").replace("A", "X"));
    Tensor one = Tensor.zeros(DType.FLOAT32, Shape.of(1));
    Tensor place = Tensor.of(new long[] {1}, Shape.of(1));
    assertThatThrownBy(() -> GeneratedKernels.call(second, null, List.of(one, place, one)))
        .hasMessage(
            "a read of the buffer X: axis 0: the index 1 is outside of its extent 1\n"
                + "  at kernel second");
  }
}
