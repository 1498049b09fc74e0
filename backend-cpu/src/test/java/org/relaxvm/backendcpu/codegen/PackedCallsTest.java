package org.relaxvm.backendcpu.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.relaxvm.api.DType;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.tir.PrimFunc;

/** Generated code calls functions by name. */
class PackedCallsTest {
  private static final PrimFunc KERNEL =
      GeneratedKernels.kernel(
          """
          @T.prim_func(private=True)
          def calls(A: T.Buffer((n, m), "float32"), k: T.float64, C: T.Buffer((n, m), "float32")):
              n = T.int64()
              m = T.int64()
              B = T.alloc_buffer((n, m), "float32")
              for i, j in T.grid(n, m):
                  B[i, j] = A[i, j] + T.float32(1)
              for t in range(3):
                  T.call_packed("scale", B, t + n, k, t == 1, "x\\ny", C)
                  for i, j in T.grid(n, m):
                      B[i, j] = C[i, j]
          """);

  /** Adds its scalars to a tensor. */
  private static void scale(Object[] args) {
    Tensor in = (Tensor) args[0];
    Tensor out = (Tensor) args[5];
    assertThat(in.shape()).isEqualTo(out.shape());
    float[] values = in.toFloatArray();
    for (int i = 0; i < values.length; i++) {
      values[i] +=
          (float)
              ((Long) args[1]
                  + (Double) args[2]
                  + ((Boolean) args[3] ? 100 : 0)
                  + ((String) args[4]).length());
    }
    Tensor.of(values, in.shape()).copyInto(out);
  }

  private static final PackedFunc SCALE =
      PackedFunc.of(
          args -> {
            scale(args);
            return 5L;
          });

  @Test
  void functionsGetBuffersScalarsAndText() {
    GeneratedKernels.assertSame(
        KERNEL,
        Map.of("scale", Optional.of(SCALE))::get,
        () ->
            List.of(GeneratedKernelTest.numbers(3, 19), 0.25, GeneratedKernelTest.numbers(3, 19)));
  }

  @Test
  void longKernelsKnowTheShapesOfTheirMemory() {
    String call = "    T.call_packed(\"scale\", B, 1, T.float64(2), False, \"x\", C)\n";
    PrimFunc kernel =
        GeneratedKernels.kernel(
            """
            @T.prim_func(private=True)
            def long_calls(A: T.Buffer((4,), "float32"), n: T.int64, C: T.Buffer((4, n), "float32")):
                B = T.alloc_buffer((4, n), "float32")
                for i, j in T.grid(4, n):
                    B[i, j] = A[i]
            """
                + call
                + "    A[0] = A[0] + A[1]\n".repeat(400)
                + call);
    GeneratedKernels.assertSame(
        kernel,
        Map.of("scale", Optional.of(SCALE))::get,
        () -> List.of(GeneratedKernelTest.numbers(4), 3L, GeneratedKernelTest.numbers(4, 3)));
  }

  @Test
  void memoryOfTheKernelEndsWithTheCall() {
    AtomicReference<Tensor> kept = new AtomicReference<>();
    PackedFunc keeps =
        PackedFunc.of(
            args -> {
              scale(args);
              kept.set((Tensor) args[0]);
              return null;
            });
    PackedFunc function = GeneratedKernels.compiler().compile(KERNEL, name -> Optional.of(keeps));
    GeneratedKernels.call(
        function,
        null,
        List.of(
            GeneratedKernelTest.numbers(2, 2), 0.0, Tensor.zeros(DType.FLOAT32, Shape.of(2, 2))));
    assertThat(Objects.requireNonNull(kept.get()).isLive()).isFalse();
  }

  @Test
  void errorsOfFunctionsNameTheKernel() {
    PackedFunc fails =
        PackedFunc.of(
            args -> {
              throw new CallException(ErrorKind.VALUE, "too hot");
            });
    PackedFunc function = GeneratedKernels.compiler().compile(KERNEL, name -> Optional.of(fails));
    Tensor given = GeneratedKernelTest.numbers(2, 2);
    Tensor out = GeneratedKernelTest.numbers(2, 2);
    CallException error =
        org.assertj.core.api.Assertions.catchThrowableOfType(
            CallException.class,
            () -> GeneratedKernels.call(function, null, List.of(given, 0.0, out)));
    assertThat(error).hasMessage("too hot\n  at kernel calls");
    assertThat(out.isLive()).isTrue();
  }
}
