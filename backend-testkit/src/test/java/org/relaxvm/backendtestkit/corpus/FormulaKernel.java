package org.relaxvm.backendtestkit.corpus;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.tir.PrimFunc;
import org.relaxvm.tir.eval.Evaluator;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;
import org.relaxvm.tir.verify.Verifier;

/** A kernel of one operator, run by the evaluator. */
final class FormulaKernel {
  final KernelBuilder k = new KernelBuilder("k");

  TensorExpr input(String name, DType dtype, long... shape) {
    List<PrimExpr> extents =
        Arrays.stream(shape).<PrimExpr>mapToObj(extent -> IntImm.of(extent)).toList();
    return k.input(name, dtype, extents);
  }

  double[] run(TensorExpr result, DType dtype, Shape shape, Tensor... inputs) {
    return run(List.of(result), dtype, shape, inputs).getFirst();
  }

  /** The same for several results of one shape. */
  List<double[]> run(List<TensorExpr> results, DType dtype, Shape shape, Tensor... inputs) {
    List<Object> args = new ArrayList<>(List.of(inputs));
    List<Tensor> outs = results.stream().map(result -> Tensor.zeros(dtype, shape)).toList();
    args.addAll(outs);
    PrimFunc function = k.build(results.toArray(TensorExpr[]::new));
    Verifier.verify(function);
    new Evaluator().run(function, args);
    return outs.stream().map(Tensor::toDoubleArray).toList();
  }

  static Tensor vector(double... values) {
    return Tensor.of(values, Shape.of(values.length));
  }
}
