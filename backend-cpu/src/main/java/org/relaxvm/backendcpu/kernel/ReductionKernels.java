package org.relaxvm.backendcpu.kernel;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.backendcpu.element.BinaryOp;
import org.relaxvm.backendcpu.element.Codec;
import org.relaxvm.backendcpu.element.Codecs;
import org.relaxvm.backendcpu.element.Lanes;
import org.relaxvm.backendcpu.element.Operand;
import org.relaxvm.backendcpu.element.Sweep;

/**
 * Sum, mean, product, maximum and minimum over axes. A run of outputs is computed at once: where
 * the elements of the reduced axes lie closer together they are folded one output after the other,
 * else whole runs are folded into each other.
 */
public final class ReductionKernels {
  private static final int RUN = 512;
  private static final int SHORTEST_RUN = 16;
  private static final long PIECE = 1 << 14;

  private ReductionKernels() {}

  /**
   * Folds with an operation; the mean is the sum, divided.
   *
   * @param floats the same operation on float32, where there is vector code for it
   */
  public static CpuKernel of(BinaryOp op, boolean mean, @Nullable FloatReducer floats) {
    return call -> reduce(op, mean, floats, call, Codecs.wide(call.output().dtype()));
  }

  private static <A> void reduce(
      BinaryOp op, boolean mean, @Nullable FloatReducer floats, KernelCall call, Codec<A> codec) {
    Tensor x = call.tensor(0);
    boolean[] reduced = reducedAxes(call, x.shape().rank());
    boolean keep = call.booleanAt(2);
    call.requireShape(3, reducedShape(x.shape(), reduced, keep));
    int reducedCount = 0;
    for (boolean axis : reduced) {
      reducedCount += axis ? 1 : 0;
    }
    int[] folded = new int[reducedCount];
    int[] kept = new int[reduced.length - reducedCount];
    int[] keptOut = new int[kept.length];
    int foldedAt = 0;
    int keptAt = 0;
    for (int axis = 0; axis < reduced.length; axis++) {
      if (reduced[axis]) {
        folded[foldedAt++] = axis;
      } else {
        keptOut[keptAt] = keep ? axis : keptAt;
        kept[keptAt++] = axis;
      }
    }
    Operand in = Operand.of(x);
    Operand out = Operand.of(call.output()).axes(keptOut);
    long each = 1;
    for (int axis : folded) {
      each *= in.dim(axis);
    }
    double divisor = mean ? (double) each : 1;
    if (floats != null && each > 0 && x.dtype().equals(DType.FLOAT32)) {
      FloatReduction reduction =
          FloatReduction.of(floats, in.axes(kept), out, in.axes(folded), divisor);
      if (reduction != null) {
        reduction.run(call.workers());
        return;
      }
    }
    Sweep across = new Sweep(RUN, in.axes(kept), out);
    Sweep along = new Sweep(RUN, in.axes(folded));
    boolean wholeRuns = Math.abs(across.step(0)) < Math.abs(along.step(0));
    // Few outputs of many elements each are worth several threads too.
    long run = Math.clamp(PIECE / Math.max(1, each), wholeRuns ? SHORTEST_RUN : 1, RUN);
    Sweep outputs = new Sweep((int) run, in.axes(kept), out);
    Sweep inputs = wholeRuns ? new Sweep(1, in.axes(folded)) : along;
    if (each == 0) {
      requireIdentity(op, call);
    }
    Parallel.run(
        call.workers(),
        outputs.runs(),
        Math.max(1, each) * outputs.runLength(),
        (from, to) ->
            new Worker<>(op, codec, in, out, outputs, inputs, wholeRuns, divisor).run(from, to));
  }

  /** Reduces runs of outputs in one thread. */
  private static final class Worker<A> {
    private final BinaryOp op;
    private final Codec<A> codec;
    private final Lanes<A> lanes;
    private final Operand in;
    private final Operand out;
    private final Sweep outputs;
    private final Sweep inputs;
    private final Sweep.Walker outer;
    private final Sweep.Walker inner;
    private final double divisor;
    private final boolean wholeRuns;
    private final A sums;
    private final A values;
    private final Sweep.Visitor fold;
    private int count;
    private int current;

    Worker(
        BinaryOp op,
        Codec<A> codec,
        Operand in,
        Operand out,
        Sweep outputs,
        Sweep inputs,
        boolean wholeRuns,
        double divisor) {
      this.op = op;
      this.codec = codec;
      this.lanes = codec.lanes();
      this.in = in;
      this.out = out;
      this.outputs = outputs;
      this.divisor = divisor;
      this.wholeRuns = wholeRuns;
      this.inputs = inputs;
      this.outer = outputs.new Walker();
      this.inner = inputs.new Walker();
      this.fold = wholeRuns ? this::foldRun : this::foldLine;
      this.sums = lanes.array(outputs.runLength());
      this.values = lanes.array(Math.max(outputs.runLength(), inputs.runLength()));
    }

    void run(long from, long to) {
      outer.walk(from, to, this::reduceRun);
    }

    private void reduceRun(long[] at, int outputCount) {
      count = outputCount;
      identity();
      int walks = wholeRuns ? 1 : count;
      for (current = 0; current < walks; current++) {
        inner.origin(0, at[0] + current * outputs.step(0));
        inner.walk(0, inputs.runs(), fold);
      }
      if (divisor != 1) {
        lanes.fill(values, 0, count, divisor);
        lanes.binary(BinaryOp.DIVIDE, sums, values, 0, count);
      }
      codec.store(sums, 0, count, out.memory(), at[1], outputs.step(1));
    }

    private void foldRun(long[] at, int one) {
      codec.load(in.memory(), at[0], outputs.step(0), values, 0, count);
      lanes.binary(op, sums, values, 0, count);
    }

    private void foldLine(long[] at, int length) {
      codec.load(in.memory(), at[0], inputs.step(0), values, 0, length);
      lanes.fold(op, sums, current, values, length);
    }

    private void identity() {
      switch (op) {
        case MAXIMUM -> codec.fillLowest(sums, 0, count);
        case MINIMUM -> codec.fillHighest(sums, 0, count);
        case MULTIPLY -> lanes.fill(sums, 0, count, 1);
        default -> lanes.fill(sums, 0, count, 0);
      }
    }
  }

  private static void requireIdentity(BinaryOp op, KernelCall call) {
    if (op == BinaryOp.MAXIMUM || op == BinaryOp.MINIMUM) {
      throw call.wrongShape(0, "not empty along the reduced axes");
    }
  }

  private static boolean[] reducedAxes(KernelCall call, int rank) {
    boolean[] reduced = new boolean[rank];
    if (call.args().isNull(1)) {
      Arrays.fill(reduced, true);
      return reduced;
    }
    for (int axis : call.distinctAxes(1, rank)) {
      reduced[axis] = true;
    }
    return reduced;
  }

  private static Shape reducedShape(Shape shape, boolean[] reduced, boolean keep) {
    long[] dims = new long[reduced.length];
    int rank = 0;
    for (int axis = 0; axis < reduced.length; axis++) {
      if (!reduced[axis]) {
        dims[rank++] = shape.dim(axis);
      } else if (keep) {
        dims[rank++] = 1;
      }
    }
    return Shape.of(Arrays.copyOf(dims, rank));
  }
}
