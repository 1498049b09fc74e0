package org.relaxvm.backendcpu.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.classfile.ClassFile;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.backendcpu.codegen.emit.ClassEmitter;
import org.relaxvm.backendcpu.codegen.emit.LaneTable;
import org.relaxvm.backendcpu.codegen.loops.Lowering;
import org.relaxvm.backendcpu.rules.CpuSchedule;
import org.relaxvm.backendcpu.vector.MemoryKind;
import org.relaxvm.backendcpu.vector.VectorChoice;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.eval.Evaluator;

/** However long kernels are, HotSpot compiles the methods that they become. */
class HugeKernelTest {
  /** HotSpot compiles no method of more bytes of instructions. */
  private static final int MOST_BYTES = 8000;

  private static Map<String, Integer> tooLong(PrimFunc kernel) {
    Map<String, Integer> methods = new TreeMap<>();
    for (Optional<LaneTable> lanes :
        List.of(Optional.<LaneTable>empty(), VectorOperations.of(VectorChoice.get()))) {
      byte[] bytes = ClassEmitter.generate(Lowering.of(kernel), lanes, MemoryKind.PINNED).bytes();
      for (MethodModel method : ClassFile.of().parse(bytes).methods()) {
        method
            .findAttribute(java.lang.classfile.Attributes.code())
            .map(CodeAttribute::codeLength)
            .filter(length -> length >= MOST_BYTES)
            .ifPresent(length -> methods.put(method.methodName().stringValue(), length));
      }
    }
    return methods;
  }

  /** A sum of terms; not nested deeply. */
  private static String sum(int from, int to, IntFunction<String> term) {
    if (to - from == 1) {
      return term.apply(from);
    }
    int middle = (from + to) / 2;
    return "(" + sum(from, middle, term) + " + " + sum(middle, to, term) + ")";
  }

  private static void check(PrimFunc kernel, List<Tensor> first, List<Tensor> second) {
    assertThat(tooLong(kernel)).isEmpty();
    assertThat(tooLong(CpuSchedule.of(kernel).kernel())).isEmpty();
    new Evaluator().run(kernel, first);
    PackedFunc function = GeneratedKernels.compile(kernel);
    GeneratedKernels.call(function, null, second);
    assertThat(GeneratedKernels.elements(second)).isEqualTo(GeneratedKernels.elements(first));
  }

  @Test
  void thousandsOfStatements() {
    StringBuilder text = new StringBuilder();
    text.append("@T.prim_func(private=True)\n");
    text.append("def many(A: T.Buffer((n,), \"float32\"), C: T.Buffer((2000,), \"float32\")):\n");
    text.append("    n = T.int64()\n");
    text.append("    for i in range(n):\n");
    for (int i = 0; i < 2000; i++) {
      text.append("        C[").append(i).append("] = A[i] * T.float32(").append(i).append(")\n");
    }
    PrimFunc kernel = GeneratedKernels.kernel(text.toString());
    check(
        kernel,
        List.of(GeneratedKernelTest.numbers(3), GeneratedKernelTest.numbers(2000)),
        List.of(GeneratedKernelTest.numbers(3), GeneratedKernelTest.numbers(2000)));
  }

  @Test
  void unrolledLoopsInLoops() {
    PrimFunc kernel =
        GeneratedKernels.kernel(
            """
            @T.prim_func(private=True)
            def unrolled(A: T.Buffer((n, 60, 60), "float32"), C: T.Buffer((n, 60, 60), "float32")):
                n = T.int64()
                for i in range(n):
                    for j in T.unroll(60):
                        for k in T.unroll(60):
                            C[i, j, k] = A[i, k, j] + T.float32(1)
            """);
    check(
        kernel,
        List.of(GeneratedKernelTest.numbers(2, 60, 60), GeneratedKernelTest.numbers(2, 60, 60)),
        List.of(GeneratedKernelTest.numbers(2, 60, 60), GeneratedKernelTest.numbers(2, 60, 60)));
  }

  @Test
  void oneExpressionOfThousandsOfOperations() {
    String sum = sum(0, 2001, i -> "A[(i * " + i % 7 + " + " + i + ") % n]");
    PrimFunc kernel =
        GeneratedKernels.kernel(
            """
            @T.prim_func(private=True)
            def long_sum(A: T.Buffer((n,), "float32"), C: T.Buffer((n,), "float32")):
                n = T.int64()
                for i in range(n):
                    C[i] = SUM
            """
                .replace("SUM", sum));
    check(
        kernel,
        List.of(GeneratedKernelTest.numbers(37), GeneratedKernelTest.numbers(37)),
        List.of(GeneratedKernelTest.numbers(37), GeneratedKernelTest.numbers(37)));
  }

  @Test
  void hundredsOfParametersAndBuffers() {
    int count = 200;
    StringBuilder params = new StringBuilder();
    StringBuilder allocated = new StringBuilder();
    StringBuilder body = new StringBuilder();
    for (int i = 0; i < count; i++) {
      params.append("A").append(i).append(": T.Buffer((n,), \"float32\"), ");
      params.append("k").append(i).append(": T.float32, ");
      allocated.append("    B").append(i).append(" = T.alloc_buffer((n,), \"float32\")\n");
      body.append("    for i in range(n):\n        B").append(i).append("[i] = A").append(i);
      body.append("[i] * k").append(i).append('\n');
    }
    body.append("    for i in range(n):\n        C[i] = ");
    body.append(sum(0, count, i -> "B" + i + "[i]"));
    PrimFunc kernel =
        GeneratedKernels.kernel(
            "@T.prim_func(private=True)\ndef wide("
                + params
                + "C: T.Buffer((n,), \"float32\")):\n    n = T.int64()\n"
                + allocated
                + body
                + "\n");
    assertThat(tooLong(kernel)).isEmpty();
    GeneratedKernels.assertSame(
        kernel,
        () -> {
          List<Object> args = new ArrayList<>();
          for (int i = 0; i < count; i++) {
            args.add(GeneratedKernelTest.numbers(21));
            args.add((double) i);
          }
          args.add(Tensor.zeros(DType.FLOAT32, Shape.of(21)));
          return args;
        });
  }
}
