package org.relaxvm.backendcpu.function;

import java.util.Map;
import org.relaxvm.backendcpu.element.BinaryOp;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Codecs;
import org.relaxvm.backendcpu.element.Lanes;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.element.Sweep;
import org.relaxvm.backendcpu.element.UnaryOp;
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
    kernels.put("leaky_relu", call -> leakyRelu(call, call.codec(call.output())));
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

  private static <A> void leakyRelu(KernelCall call, Codec<A> codec) {
    double alpha = call.args().doubleAt(1);
    // As a float, too, it is neither 0 nor infinite, whose products with the other are NaN.
    if (!(alpha >= Float.MIN_NORMAL && alpha <= Float.MAX_VALUE)) {
      runDoubles(
          call,
          (from, to, count) -> {
            for (int i = 0; i < count; i++) {
              to[i] = from[i] > 0 ? from[i] : alpha * from[i];
            }
          });
      return;
    }
    // The slopes on both sides of 0 are those of the larger or of the smaller of two lines.
    BinaryOp line = alpha <= 1 ? BinaryOp.MAXIMUM : BinaryOp.MINIMUM;
    A slopes = codec.lanes().array(ElementwiseKernels.RUN);
    codec.lanes().fill(slopes, 0, ElementwiseKernels.RUN, alpha);
    run(
        call,
        codec,
        codec,
        (from, to, count) -> {
          System.arraycopy(from, 0, to, 0, count);
          codec.lanes().binary(BinaryOp.MULTIPLY, to, slopes, 0, count);
          codec.lanes().binary(line, to, from, 0, count);
        });
  }

  /**
   * With {@code z = beta x} and {@code t = exp(-|z|)}, which is at most 1: {@code log(1 + exp(z)) =
   * max(z, 0) + log(1 + t)}, and {@code log(1 + t) = 2 artanh(t / (2 + t))} loses nothing of a
   * small {@code t}.
   */
  private static void softplus(KernelCall call) {
    double beta = call.args().doubleAt(1);
    double threshold = call.args().doubleAt(2);
    if (beta == 0) {
      throw call.wrong(1, "not 0", Double.toString(beta));
    }
    Lanes<double[]> lanes = call.doubles();
    runDoubles(
        call,
        (from, to, count) -> {
          for (int i = 0; i < count; i++) {
            to[i] = -Math.abs(beta * from[i]);
          }
          lanes.unary(UnaryOp.EXP, to, count);
          for (int i = 0; i < count; i++) {
            to[i] = to[i] / (2 + to[i]);
          }
          lanes.unary(UnaryOp.ATANH, to, count);
          for (int i = 0; i < count; i++) {
            double z = beta * from[i];
            double y = (Math.max(z, 0) + 2 * to[i]) / beta;
            to[i] = z > threshold ? from[i] : y;
          }
        });
  }

  private static void runDoubles(KernelCall call, Function<double[], double[]> function) {
    Codec<double[]> codec = Codecs.wideFloat(call.output().dtype());
    run(call, codec, codec, function);
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
