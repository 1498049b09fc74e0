package org.relaxvm.interoponnx.operator.microsoft;

import java.util.List;
import org.relaxvm.compiler.dsl.NnOps;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.interoponnx.convert.Emitter;
import org.relaxvm.interoponnx.convert.NodeContext;

/** The activation that an operator has as an attribute. */
final class FusedActivation {
  private FusedActivation() {}

  /**
   * The activation of a value.
   *
   * @param name empty for none
   * @param params its parameters, in the order of the attributes of the operator of this name;
   *     those that are missing have their defaults
   */
  static Expr of(NodeContext node, Expr x, String name, List<Float> params) {
    Emitter e = new Emitter(node);
    return switch (name) {
      case "" -> x;
      case "Relu" -> node.emit(Ops.maximum(x, e.number(x, 0)));
      case "Tanh" -> e.tanh(x);
      case "Sigmoid" -> e.sigmoid(x);
      case "Gelu" -> node.emit(NnOps.gelu(x));
      case "LeakyRelu" -> node.emit(NnOps.leakyRelu(x, param(params, 0, 0.01f)));
      case "ThresholdedRelu" ->
          e.where(
              node.emit(Ops.greater(x, e.number(x, param(params, 0, 1)))),
              x,
              node.scalar(node.dtype(x), 0));
      case "Clip" ->
          clipped(node, x, param(params, 0, -Float.MAX_VALUE), param(params, 1, Float.MAX_VALUE));
      case "HardSigmoid" -> hardSigmoid(node, x, param(params, 0, 0.2f), param(params, 1, 0.5f));
      case "HardSwish" -> e.multiply(x, hardSigmoid(node, x, 1 / 6f, 0.5f));
      case "Elu" -> elu(node, x, param(params, 0, 1));
      default ->
          throw node.unsupported(
              "the activation '"
                  + name
                  + "' is not supported; there are Relu, Tanh, Sigmoid, Gelu, LeakyRelu,"
                  + " ThresholdedRelu, Clip, HardSigmoid, HardSwish and Elu",
              "");
    };
  }

  private static float param(List<Float> params, int index, float missing) {
    return index < params.size() ? params.get(index) : missing;
  }

  private static Expr clipped(NodeContext node, Expr x, float low, float high) {
    Emitter e = new Emitter(node);
    Expr above = node.emit(Ops.maximum(x, e.number(x, low)));
    return node.emit(Ops.minimum(above, e.number(x, high)));
  }

  private static Expr hardSigmoid(NodeContext node, Expr x, float alpha, float beta) {
    Emitter e = new Emitter(node);
    return clipped(node, e.add(e.multiply(x, alpha), beta), 0, 1);
  }

  private static Expr elu(NodeContext node, Expr x, float alpha) {
    Emitter e = new Emitter(node);
    Expr grown = e.multiply(e.add(node.emit(Ops.exp(x)), -1), alpha);
    return e.where(node.emit(Ops.greater(x, e.number(x, 0))), x, grown);
  }
}
