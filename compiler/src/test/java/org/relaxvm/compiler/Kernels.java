package org.relaxvm.compiler;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.KernelFunction;
import org.relaxvm.tir.Param;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.FloatImm;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/** Kernels that programs of tests call. */
public final class Kernels {
  private Kernels() {}

  /** {@code out[i] = a[i] + b[i]} of float32 vectors. */
  public static KernelFunction add() {
    KernelBuilder kernel = new KernelBuilder("add");
    Var n = kernel.extent("n");
    TensorExpr a = kernel.input("a", DType.FLOAT32, List.of(n));
    TensorExpr b = kernel.input("b", DType.FLOAT32, List.of(n));
    return new KernelFunction(
        kernel.build(kernel.compute("sum", List.of(n), i -> Exprs.add(a.at(i), b.at(i)))));
  }

  /** {@code out[i] = a[i] * factor} of float32 vectors. */
  public static KernelFunction scale(String name, double factor) {
    KernelBuilder kernel = new KernelBuilder(name);
    Var n = kernel.extent("n");
    TensorExpr a = kernel.input("a", DType.FLOAT32, List.of(n));
    PrimExpr constant = new FloatImm(DType.FLOAT32, factor);
    return new KernelFunction(
        kernel.build(kernel.compute("scaled", List.of(n), i -> Exprs.mul(a.at(i), constant))));
  }

  /** {@code out = a - 1} of int32 scalars. */
  public static KernelFunction decrement() {
    KernelBuilder kernel = new KernelBuilder("decrement");
    TensorExpr a = kernel.input("a", DType.INT32, List.of());
    return new KernelFunction(
        kernel.build(kernel.compute("less", List.of(), i -> Exprs.sub(a.at(i), 1))));
  }

  /** {@code out = a <= 0} of an int32 scalar. */
  public static KernelFunction isZero() {
    KernelBuilder kernel = new KernelBuilder("is_zero");
    TensorExpr a = kernel.input("a", DType.INT32, List.of());
    return new KernelFunction(
        kernel.build(
            kernel.compute("zero", List.of(), i -> Exprs.le(a.at(i), new IntImm(DType.INT32, 0)))));
  }

  /** Two outputs: {@code a * 2} and {@code a * 3} of float32 vectors. */
  public static KernelFunction twoAndThree() {
    KernelBuilder kernel = new KernelBuilder("two_and_three");
    Var n = kernel.extent("n");
    TensorExpr a = kernel.input("a", DType.FLOAT32, List.of(n));
    List<TensorExpr> outputs = new ArrayList<>();
    for (double factor : new double[] {2, 3}) {
      PrimExpr constant = new FloatImm(DType.FLOAT32, factor);
      outputs.add(
          kernel.compute("times" + (int) factor, List.of(n), i -> Exprs.mul(a.at(i), constant)));
    }
    return new KernelFunction(kernel.build(outputs.get(0), outputs.get(1)));
  }

  /** An int64 matrix of ones whose extents are numbers: {@code (d, p, out)}. */
  public static KernelFunction onesInline() {
    return new KernelFunction(ones());
  }

  /** The same with the numbers after the output: {@code (out, d, p)}. */
  public static KernelFunction onesTrailing() {
    PrimFunc inline = ones();
    List<Param> params = new ArrayList<>(inline.params());
    params.addFirst(params.removeLast());
    return new KernelFunction(
        new PrimFunc(inline.name(), params, inline.returnType(), inline.body(), inline.attrs()));
  }

  private static PrimFunc ones() {
    KernelBuilder kernel = new KernelBuilder("fused_ones_cast");
    Var d = kernel.scalar("d", DType.INT64);
    Var p = kernel.scalar("p", DType.INT64);
    return kernel.build(kernel.compute("ones", List.of(d, p), i -> IntImm.of(1)));
  }
}
