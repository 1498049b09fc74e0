package org.relaxvm.interoponnx;

import java.util.List;
import org.relaxvm.compiler.dsl.Ops;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.interoponnx.spi.OnnxNode;
import org.relaxvm.interoponnx.spi.OnnxOperator;
import org.relaxvm.interoponnx.spi.OnnxOperatorProvider;

/** Two operators of the domain {@code com.example}. */
public final class ExampleOperators implements OnnxOperatorProvider {
  @Override
  public String name() {
    return "com.example";
  }

  @Override
  public List<OnnxOperator> operators() {
    return List.of(
        new OnnxOperator("com.example", "Swish", ExampleOperators::swish),
        new OnnxOperator("com.example", "Sorted", ExampleOperators::sorted));
  }

  /** {@code x * sigmoid(beta * x)}, of operators of Relax IR: it is compiled for every device. */
  private static List<Expr> swish(OnnxNode node) {
    Expr x = node.tensor(0);
    Expr beta = node.scalar(node.dtype(x), node.attributes().real("beta", 1));
    Expr scaled = node.emit(Ops.multiply(x, beta));
    return List.of(Ops.multiply(x, node.emit(Ops.sigmoid(scaled))));
  }

  /** A packed function, which writes to a tensor of the type of its input. */
  private static List<Expr> sorted(OnnxNode node) {
    Expr x = node.tensor(0);
    return List.of(node.callPacked("com.example.sorted", List.of(x), node.type(x)));
  }
}
