package org.relaxvm.backendcpu.function;

import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import org.relaxvm.backendcpu.element.BinaryOp;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Codecs;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.element.Sweep;
import org.relaxvm.backendcpu.kernel.CpuKernel;
import org.relaxvm.backendcpu.kernel.ElementwiseKernels;
import org.relaxvm.backendcpu.kernel.KernelCall;
import org.relaxvm.backendcpu.kernel.Parallel;
import org.relaxvm.backendcpu.movement.FillKernels;

/** Functions of one element that have parameters, or are true or false. */
public final class FunctionKernels {
  private static final long COST = 16;

  private FunctionKernels() {}

  /** Adds them by name without prefix. */
  public static void addTo(Map<String, CpuKernel> kernels) {
    kernels.put("isnan", call -> FloatTests.run(call, FloatTests.Property.NAN));
    kernels.put("isinf", call -> FloatTests.run(call, FloatTests.Property.INFINITE));
    kernels.put("isfinite", call -> FloatTests.run(call, FloatTests.Property.FINITE));
    kernels.put("clip", call -> clip(call, call.codec(call.output())));
    kernels.put("leaky_relu", FunctionKernels::leakyRelu);
    kernels.put("softplus", FunctionKernels::softplus);
  }

  /** Computes a run of elements. */
  interface Function<A, R> {
    void apply(A from, R to, int count);
  }

  private static <A> void clip(KernelCall call, Codec<A> codec) {
    Operand least = FillKernels.constant(call, 1);
    Operand most = FillKernels.constant(call, 2);
    int length = ElementwiseKernels.RUN;
    A lows = codec.lanes().array(length);
    A highs = codec.lanes().array(length);
    codec.load(least.memory(), 0, 0, lows, 0, length);
    codec.load(most.memory(), 0, 0, highs, 0, length);
    run(
        call,
        codec,
        codec,
        (from, to, count) -> {
          System.arraycopy(from, 0, to, 0, count);
          codec.lanes().binary(BinaryOp.MAXIMUM, to, lows, 0, count);
          codec.lanes().binary(BinaryOp.MINIMUM, to, highs, 0, count);
        });
  }

  private static void leakyRelu(KernelCall call) {
    double alpha = call.args().doubleAt(1);
    map(call, x -> x > 0 ? x : alpha * x);
  }

  private static void softplus(KernelCall call) {
    double beta = call.args().doubleAt(1);
    double threshold = call.args().doubleAt(2);
    if (beta == 0) {
      throw call.wrong(1, "not 0", Double.toString(beta));
    }
    map(call, x -> beta * x > threshold ? x : Math.log1p(Math.exp(beta * x)) / beta);
  }

  private static void map(KernelCall call, DoubleUnaryOperator function) {
    Codec<double[]> codec = Codecs.wideFloat(call.output().dtype());
    run(
        call,
        codec,
        codec,
        (from, to, count) -> {
          for (int i = 0; i < count; i++) {
            to[i] = function.applyAsDouble(from[i]);
          }
        });
  }

  static <A, R> void run(KernelCall call, Codec<A> in, Codec<R> codec, Function<A, R> function) {
    call.requireBroadcast(0, call.output().shape());
    Operand x = ElementwiseKernels.stretched(call, 0);
    Operand out = Operand.of(call.output());
    Sweep sweep = new Sweep(ElementwiseKernels.RUN, x, out);
    Parallel.run(
        call.workers(),
        sweep.runs(),
        sweep.runLength() * COST,
        (first, end) -> {
          A from = in.lanes().array(sweep.runLength());
          R to = codec.lanes().array(sweep.runLength());
          sweep.new Walker()
              .walk(
                  first,
                  end,
                  (at, count) -> {
                    in.load(x.memory(), at[0], sweep.step(0), from, 0, count);
                    function.apply(from, to, count);
                    codec.store(to, 0, count, out.memory(), at[1], sweep.step(1));
                  });
        });
  }
}
