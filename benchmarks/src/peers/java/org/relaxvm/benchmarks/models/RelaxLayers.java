package org.relaxvm.benchmarks.models;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.builder.BlockBuilder;
import org.relaxvm.compiler.builder.FunctionBuilder;
import org.relaxvm.compiler.ir.Constant;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.ir.Tuple;
import org.relaxvm.compiler.op.elementwise.Activations;
import org.relaxvm.compiler.op.elementwise.Arithmetic;
import org.relaxvm.compiler.op.index.Takes;
import org.relaxvm.compiler.op.linear.Linear;
import org.relaxvm.compiler.op.nn.Attention;
import org.relaxvm.compiler.op.nn.AxisActivations;
import org.relaxvm.compiler.op.nn.ConvOptions;
import org.relaxvm.compiler.op.nn.Convolutions;
import org.relaxvm.compiler.op.nn.Norms;
import org.relaxvm.compiler.op.nn.PoolOptions;
import org.relaxvm.compiler.op.nn.Pools;
import org.relaxvm.compiler.op.reduce.Reductions;
import org.relaxvm.compiler.op.shape.Joins;
import org.relaxvm.compiler.op.shape.Orders;
import org.relaxvm.compiler.op.shape.Reshapes;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.expr.Var;

/** Makes Relax IR of a model. */
final class RelaxLayers implements Layers<Expr> {
  private final FunctionBuilder main;

  private RelaxLayers(FunctionBuilder main) {
    this.main = main;
  }

  /** A module whose {@code main} is the model. */
  static IRModule module(Model model) {
    BlockBuilder program = new BlockBuilder();
    program.function("main", main -> body(model, main));
    return program.module();
  }

  private static Expr body(Model model, FunctionBuilder main) {
    Map<String, Var> symbols = new HashMap<>();
    List<Expr> inputs = new ArrayList<>();
    for (Model.Input input : model.inputs()) {
      Object[] dims =
          input.dims().stream()
              .map(
                  dim ->
                      dim instanceof String name ? symbols.computeIfAbsent(name, Var::index) : dim)
              .toArray();
      inputs.add(main.param(input.name(), TensorType.of(input.dtype(), dims)));
    }
    return main.dataflow(
        () -> {
          List<Expr> outputs = model.build(new RelaxLayers(main), inputs, new Weights(Model.SEED));
          return outputs.size() == 1 ? outputs.getFirst() : new Tuple(outputs);
        });
  }

  @Override
  public Expr dense(Expr x, Tensor weight, Tensor bias) {
    return add(matmul(x, new Constant(weight)), new Constant(bias));
  }

  @Override
  public Expr matmul(Expr a, Expr b) {
    return main.emit(Linear.matmul(a, b));
  }

  @Override
  public Expr add(Expr a, Expr b) {
    return main.emit(Arithmetic.add(a, b));
  }

  @Override
  public Expr scale(Expr x, float factor) {
    Tensor scalar = Tensor.of(new float[] {factor}, Shape.of());
    return main.emit(Arithmetic.multiply(x, new Constant(scalar)));
  }

  @Override
  public Expr relu(Expr x) {
    return main.emit(Activations.relu(x));
  }

  @Override
  public Expr gelu(Expr x) {
    return main.emit(Activations.gelu(x));
  }

  @Override
  public Expr softmax(Expr x) {
    return main.emit(AxisActivations.softmax(x, -1));
  }

  @Override
  public Expr layerNorm(Expr x, Tensor gamma, Tensor beta) {
    return main.emit(
        Norms.layerNorm(x, new Constant(gamma), new Constant(beta), List.of(-1), 1e-5));
  }

  @Override
  public Expr take(Tensor table, Expr indices) {
    return main.emit(Takes.take(new Constant(table), indices, 0));
  }

  @Override
  public Expr reshape(Expr x, long... dims) {
    List<PrimExpr> before = dims(x);
    Object[] after = new Object[dims.length];
    for (int i = 0; i < dims.length; i++) {
      after[i] = dims[i] == 0 ? before.get(i) : dims[i];
    }
    return main.emit(Reshapes.reshape(x, after));
  }

  private static List<PrimExpr> dims(Expr x) {
    if (x instanceof RelaxVar bound && bound.type() instanceof TensorType tensor) {
      Optional<List<PrimExpr>> dims = tensor.dims();
      if (dims.isPresent()) {
        return dims.get();
      }
    }
    throw new IllegalArgumentException("expected a tensor of known extents, got " + x);
  }

  @Override
  public Expr transpose(Expr x, int... axes) {
    Integer[] boxed = new Integer[axes.length];
    for (int i = 0; i < axes.length; i++) {
      boxed[i] = axes[i];
    }
    return main.emit(Orders.permuteDims(x, boxed));
  }

  @Override
  public Expr concat(Expr a, Expr b, int axis) {
    return main.emit(Joins.concat(List.of(a, b), axis));
  }

  @Override
  public Expr convolution(Expr x, Tensor filters, Tensor bias, long stride) {
    ConvOptions options =
        ConvOptions.DEFAULT.withStrides(stride).withPadding(filters.shape().dim(2) / 2);
    Expr sums = main.emit(Convolutions.conv2d(x, new Constant(filters), options));
    Tensor perChannel = bias.reshape(Shape.of(1, bias.shape().dim(0), 1, 1));
    return add(sums, new Constant(perChannel));
  }

  @Override
  public Expr maxPool(Expr x, long extent) {
    return main.emit(
        Pools.maxPool2d(x, PoolOptions.of(extent, extent).withStrides(extent, extent)));
  }

  @Override
  public Expr globalAverage(Expr x) {
    return main.emit(Reductions.mean(x, List.of(2, 3), false));
  }

  @Override
  public Expr attention(Expr query, Expr key, Expr value, int width) {
    return main.emit(Attention.attention(query, key, value));
  }
}
