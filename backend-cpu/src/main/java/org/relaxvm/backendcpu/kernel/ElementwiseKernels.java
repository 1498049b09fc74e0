package org.relaxvm.backendcpu.kernel;

import java.util.function.IntFunction;
import org.relaxvm.api.Tensor;
import org.relaxvm.backendcpu.element.BinaryOp;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Codecs;
import org.relaxvm.backendcpu.element.Comparison;
import org.relaxvm.backendcpu.element.Lanes;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.element.Sweep;
import org.relaxvm.backendcpu.element.UnaryOp;

/**
 * Functions of one and two elements: runs are brought into small arrays, computed there, and
 * stored.
 */
public final class ElementwiseKernels {
  /** Elements of a run: three arrays of them fit the nearest cache. */
  public static final int RUN = 1024;

  private static final long TRANSCENDENTAL_COST = 16;

  private ElementwiseKernels() {}

  /** {@code out = op(a, b)}. */
  public static CpuKernel binary(BinaryOp op) {
    return call -> binary(op, call, codec(call, call.output()));
  }

  /** {@code out = a op b} as truth values. */
  public static CpuKernel comparison(Comparison op) {
    return call -> compare(op, call, codec(call, call.tensor(0)));
  }

  /** {@code out = op(x)}. */
  public static CpuKernel unary(UnaryOp op) {
    return call -> unary(op, call, codec(call, call.output()));
  }

  private static Codec<?> codec(KernelCall call, Tensor tensor) {
    return Codecs.ofElements(tensor.dtype(), call.floats());
  }

  private static <A> void binary(BinaryOp op, KernelCall call, Codec<A> codec) {
    Lanes<A> lanes = codec.lanes();
    pairs(
        call,
        codec,
        codec,
        runLength ->
            (x, y, count) -> {
              lanes.binary(op, x, y, 0, count);
              return x;
            });
  }

  private static <A> void compare(Comparison op, KernelCall call, Codec<A> codec) {
    Lanes<A> lanes = codec.lanes();
    pairs(
        call,
        codec,
        Codecs.truth(),
        runLength -> {
          int[] holds = new int[runLength];
          return (x, y, count) -> {
            lanes.compare(op, x, y, holds, count);
            return holds;
          };
        });
  }

  /** Combines a run of elements of two inputs; may use the first one's array for the result. */
  private interface Combination<A, R> {
    R apply(A x, A y, int count);
  }

  /**
   * Combines two inputs run by run.
   *
   * @param perTask makes the combination for each piece of the work, which runs in one thread, from
   *     the largest number of elements of a run
   */
  private static <A, R> void pairs(
      KernelCall call, Codec<A> codec, Codec<R> outCodec, IntFunction<Combination<A, R>> perTask) {
    requireBroadcastOutput(call, 2);
    Operand a = stretched(call, 0);
    Operand b = stretched(call, 1);
    Operand out = Operand.of(call.output());
    Sweep sweep = new Sweep(RUN, a, b, out);
    Parallel.run(
        call.workers(),
        sweep.runs(),
        sweep.runLength(),
        (from, to) -> {
          A x = codec.lanes().array(sweep.runLength());
          A y = codec.lanes().array(sweep.runLength());
          Combination<A, R> combination = perTask.apply(sweep.runLength());
          sweep.new Walker()
              .walk(
                  from,
                  to,
                  (at, count) -> {
                    codec.load(a.memory(), at[0], sweep.step(0), x, 0, count);
                    codec.load(b.memory(), at[1], sweep.step(1), y, 0, count);
                    R result = combination.apply(x, y, count);
                    outCodec.store(result, 0, count, out.memory(), at[2], sweep.step(2));
                  });
        });
  }

  private static <A> void unary(UnaryOp op, KernelCall call, Codec<A> codec) {
    call.requireBroadcast(0, call.output().shape());
    Operand x = stretched(call, 0);
    Operand out = Operand.of(call.output());
    Sweep sweep = new Sweep(RUN, x, out);
    Lanes<A> lanes = codec.lanes();
    Parallel.run(
        call.workers(),
        sweep.runs(),
        sweep.runLength() * TRANSCENDENTAL_COST,
        (from, to) -> {
          A values = lanes.array(sweep.runLength());
          sweep.new Walker()
              .walk(
                  from,
                  to,
                  (at, count) -> {
                    codec.load(x.memory(), at[0], sweep.step(0), values, 0, count);
                    lanes.unary(op, values, count);
                    codec.store(values, 0, count, out.memory(), at[1], sweep.step(1));
                  });
        });
  }

  /** Checks that the first inputs broadcast to exactly the shape of the output. */
  static void requireBroadcastOutput(KernelCall call, int inputs) {
    Tensor out = call.output();
    boolean[] covered = new boolean[out.shape().rank()];
    for (int i = 0; i < inputs; i++) {
      call.requireBroadcast(i, out.shape());
      int rank = call.tensor(i).shape().rank();
      for (int axis = 0; axis < rank; axis++) {
        int target = covered.length - rank + axis;
        covered[target] |= call.tensor(i).shape().dim(axis) == out.shape().dim(target);
      }
    }
    for (int axis = 0; axis < covered.length; axis++) {
      if (!covered[axis]) {
        throw call.wrongShape(
            call.count() - 1, "the broadcast shape of the inputs, none of which has axis " + axis);
      }
    }
  }

  /** Input {@code index} stretched to the shape of the output. */
  public static Operand stretched(KernelCall call, int index) {
    return Operand.of(call.tensor(index)).broadcastTo(call.output().shape());
  }
}
