package org.relaxvm.tir.fuse;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.eval.Evaluator;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.op.ActivationOps;
import org.relaxvm.tir.op.BinaryOps;
import org.relaxvm.tir.op.LinearOps;
import org.relaxvm.tir.op.ReductionOps;
import org.relaxvm.tir.op.ShapeOps;
import org.relaxvm.tir.op.SoftmaxOps;
import org.relaxvm.tir.op.UnaryOps;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/**
 * A random chain of calls on matrices, fused and run one after the other at the same time. Kernels
 * are written with variables of their own; those of the caller are n and m.
 */
final class Chains {
  private static final DType F32 = DType.FLOAT32;

  private final Random random;
  private final boolean symbolic;
  private final Var n = Var.index("n");
  private final Var m = Var.index("m");
  private final int rows;
  private final int columns;
  private final KernelFusion fusion = new KernelFusion("fused");
  private final List<Value> values = new ArrayList<>();
  private final List<Tensor> arguments = new ArrayList<>();
  private final List<String> log = new ArrayList<>();

  /** A tensor of the fused kernel, and what it should be. */
  private record Value(Buffer buffer, Tensor tensor) {}

  Chains(Random random) {
    this.random = random;
    this.symbolic = random.nextBoolean();
    this.rows = 1 + random.nextInt(4);
    this.columns = 1 + random.nextInt(4);
  }

  /**
   * A fused kernel with its arguments.
   *
   * @param expected what the last arguments should become
   */
  record Case(PrimFunc fused, List<Object> arguments, List<Tensor> expected, String log) {}

  Case make() {
    boolean first = random.nextBoolean();
    if (symbolic && first) {
      scalars();
    }
    int inputs = 1 + random.nextInt(3);
    for (int i = 0; i < inputs; i++) {
      PrimExpr a = random.nextInt(4) == 0 ? IntImm.of(1) : extent(n, rows);
      PrimExpr b = random.nextInt(4) == 0 ? IntImm.of(1) : extent(m, columns);
      Buffer buffer = fusion.input("x", F32, List.of(a, b));
      Shape shape = Shape.of(size(a), size(b));
      float[] numbers = new float[(int) shape.elementCount()];
      for (int k = 0; k < numbers.length; k++) {
        numbers[k] = (float) random.nextGaussian();
      }
      Tensor tensor = Tensor.of(numbers, shape);
      arguments.add(tensor);
      values.add(new Value(buffer, tensor));
    }
    int calls = 1 + random.nextInt(6);
    for (int i = 0; i < calls; i++) {
      call();
    }
    List<Value> results = new ArrayList<>();
    results.add(values.getLast());
    for (Value value : values.subList(inputs, values.size() - 1)) {
      if (random.nextInt(4) == 0) {
        results.add(value);
      }
    }
    PrimFunc fused =
        fusion.build(
            results.stream().map(Value::buffer).toList(),
            symbolic && !first ? List.of(n, m) : List.of());
    List<Object> all = new ArrayList<>();
    if (symbolic && first) {
      all.addAll(List.of((long) rows, (long) columns));
    }
    all.addAll(arguments);
    results.forEach(value -> all.add(Tensor.zeros(F32, value.tensor().shape())));
    if (symbolic && !first) {
      all.addAll(List.of((long) rows, (long) columns));
    }
    return new Case(
        fused, all, results.stream().map(Value::tensor).toList(), String.join(", ", log));
  }

  private void scalars() {
    fusion.scalar(n);
    fusion.scalar(m);
  }

  private PrimExpr extent(Var var, int size) {
    return symbolic ? var : IntImm.of(size);
  }

  private long size(PrimExpr extent) {
    return switch (extent) {
      case IntImm known -> known.value();
      case Var var -> var.equals(n) ? rows : columns;
      default -> {
        List<PrimExpr> factors = extent.operands();
        yield size(factors.get(0)) * size(factors.get(1));
      }
    };
  }

  private void call() {
    Value x = values.get(random.nextInt(values.size()));
    switch (random.nextInt(10)) {
      case 0 -> unary(x, "relu", x.buffer().shape(), (k, t) -> ActivationOps.relu(k, "y", t));
      case 1 -> unary(x, "negative", x.buffer().shape(), (k, t) -> UnaryOps.negative(k, "y", t));
      case 2 -> unary(x, "softmax", x.buffer().shape(), (k, t) -> SoftmaxOps.softmax(k, "y", t, 1));
      case 3 -> {
        List<PrimExpr> shape = x.buffer().shape().reversed();
        unary(x, "transpose", shape, (k, t) -> ShapeOps.permuteDims(k, "y", t, null));
      }
      case 4 -> {
        List<PrimExpr> shape = List.of(x.buffer().shape().get(0), IntImm.of(1));
        unary(x, "sum", shape, (k, t) -> ReductionOps.sum(k, "y", t, List.of(1), true));
      }
      case 5 -> {
        List<PrimExpr> shape = List.of(IntImm.of(1), x.buffer().shape().get(1));
        unary(x, "mean", shape, (k, t) -> ReductionOps.mean(k, "y", t, List.of(0), true));
      }
      case 6 -> {
        PrimExpr count = Exprs.mul(x.buffer().shape().get(0), x.buffer().shape().get(1));
        unary(
            x,
            "flatten",
            List.of(IntImm.of(1), count),
            (k, t) -> ShapeOps.expandDims(k, "y", ShapeOps.flatten(k, "flat", t), List.of(0)));
      }
      case 7 -> {
        List<PrimExpr> shape = List.of(x.buffer().shape().get(0), x.buffer().shape().get(0));
        unary(
            x,
            "gram",
            shape,
            (k, t) ->
                LinearOps.matmul(k, "y", t, ShapeOps.permuteDims(k, "transposed", t, null), null));
      }
      default -> add(x, values.get(random.nextInt(values.size())));
    }
  }

  private interface Unary {
    TensorExpr of(KernelBuilder k, TensorExpr x);
  }

  private boolean general() {
    return symbolic || random.nextBoolean();
  }

  /** Extents of a kernel itself: a variable for each, or the very constants. */
  private List<PrimExpr> own(
      List<PrimExpr> shape, boolean general, Map<PrimExpr, PrimExpr> extents) {
    List<PrimExpr> own = new ArrayList<>();
    for (PrimExpr extent : shape) {
      own.add(
          general && !extent.equals(IntImm.of(1))
              ? extents.computeIfAbsent(extent, e -> Var.index("d" + extents.size()))
              : extent);
    }
    return own;
  }

  private void unary(Value x, String name, List<PrimExpr> shape, Unary op) {
    KernelBuilder k = new KernelBuilder(name);
    List<PrimExpr> in = own(x.buffer().shape(), general(), new HashMap<>());
    PrimFunc callee = k.build(op.of(k, k.input("x", F32, in)));
    run(callee, List.of(x), shape);
  }

  private void add(Value a, Value b) {
    List<PrimExpr> shape = new ArrayList<>();
    for (int axis = 0; axis < 2; axis++) {
      PrimExpr x = a.buffer().shape().get(axis);
      PrimExpr y = b.buffer().shape().get(axis);
      boolean fits = x.equals(y) || x.equals(IntImm.of(1)) || y.equals(IntImm.of(1));
      if (!fits) {
        return;
      }
      shape.add(x.equals(IntImm.of(1)) ? y : x);
    }
    KernelBuilder k = new KernelBuilder("add");
    boolean general = general();
    Map<PrimExpr, PrimExpr> extents = new HashMap<>();
    TensorExpr left = k.input("a", F32, own(a.buffer().shape(), general, extents));
    TensorExpr right = k.input("b", F32, own(b.buffer().shape(), general, extents));
    run(k.build(BinaryOps.add(k, "y", left, right)), List.of(a, b), shape);
  }

  private void run(PrimFunc callee, List<Value> inputs, List<PrimExpr> shape) {
    log.add(callee.name());
    long[] sizes = shape.stream().mapToLong(this::size).toArray();
    Tensor result = Tensor.zeros(F32, Shape.of(sizes));
    List<Object> args = new ArrayList<>();
    inputs.forEach(value -> args.add(value.tensor()));
    args.add(result);
    new Evaluator().run(callee, args);
    Buffer buffer =
        fusion
            .call(
                callee,
                inputs.stream().map(Value::buffer).toList(),
                List.of(),
                List.of(CallOutput.fresh(F32, shape)))
            .getFirst();
    values.add(new Value(buffer, result));
  }
}
