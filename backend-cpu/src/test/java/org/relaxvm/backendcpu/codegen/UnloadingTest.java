package org.relaxvm.backendcpu.codegen;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.backendcpu.codegen.emit.ClassEmitter;
import org.relaxvm.backendcpu.codegen.loops.Lowering;
import org.relaxvm.backendcpu.invocation.KernelFunction;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.abi.CallBinding;
import org.relaxvm.tir.abi.TensorLocation;

/** Generated classes go with the last reference to the code of a kernel. */
@Timeout(60)
class UnloadingTest {
  private static final PrimFunc KERNEL =
      GeneratedKernels.kernel(
          """
          @T.prim_func(private=True)
          def fill(C: T.Buffer((n,), "float32")):
              n = T.int64()
              for i in range(n):
                  C[i] = T.float32(7)
          """);

  private static CompiledCode compile() {
    return new CompiledCode(
        memory -> ClassEmitter.generate(Lowering.of(KERNEL), Optional.empty(), memory));
  }

  /** The class of code that has run. */
  private static Class<?> run(CompiledCode code) {
    Tensor out = Tensor.zeros(DType.FLOAT32, Shape.of(20));
    CallBinding arguments =
        new CallBinding(
            KERNEL, Lowering.variables(KERNEL), java.util.Set.of(0), TensorLocation.HOST);
    GeneratedKernels.call(
        new KernelFunction(KERNEL, arguments, code, List.of()), null, List.of(out));
    assertThat(out.toFloatArray()).containsOnly(7);
    try (KernelFrame frame = code.frame(null, List.of())) {
      return code.code(frame).getClass();
    }
  }

  private static boolean goes(WeakReference<?> reference) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (reference.get() != null && System.nanoTime() < end) {
      System.gc();
      Thread.sleep(20);
    }
    return reference.get() == null;
  }

  @Test
  void classesGoWithTheirCode() throws InterruptedException {
    CompiledCode kept = compile();
    WeakReference<Class<?>> keptClass = new WeakReference<>(run(kept));
    WeakReference<Class<?>> droppedClass = new WeakReference<>(run(compile()));
    assertThat(goes(droppedClass)).isTrue();
    assertThat(run(kept)).isSameAs(keptClass.get());
  }
}
