package org.relaxvm.benchmarks.onnx;

import java.util.ArrayList;
import java.util.List;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;

/** Functions of single elements, on matrices of 512 rows and 1024 columns. */
final class ElementwiseRows {
  private static final long ROWS = 512;
  private static final long COLUMNS = 1024;
  private static final double TOLERANCE = 1e-5;

  private ElementwiseRows() {}

  static List<Row> all() {
    Tensor x = Row.random(2, ROWS, COLUMNS);
    Tensor positive = sizes(x);
    Tensor row = Row.random(1, COLUMNS);
    List<Row> rows = new ArrayList<>();
    rows.add(unary("exp", "Exp", x));
    rows.add(unary("log", "Log", positive));
    rows.add(unary("tanh", "Tanh", x));
    rows.add(unary("sigmoid", "Sigmoid", x));
    rows.add(unary("erf", "Erf", x));
    rows.add(unary("sqrt", "Sqrt", positive));
    rows.add(unary("sin", "Sin", x));
    rows.add(unary("cos", "Cos", x));
    rows.add(unary("abs", "Abs", x));
    // The slope of ONNX where a model names none.
    rows.add(unary("leaky_relu", "LeakyRelu", x, 0.01));
    rows.add(unary("softplus", "Softplus", x, 1, 20));
    rows.add(binary("add", "Add", x, positive));
    rows.add(binary("multiply", "Mul", x, positive));
    rows.add(binary("divide", "Div", x, positive));
    rows.add(binary("add", "Add", x, row));
    return rows;
  }

  private static Row unary(String kernel, String operator, Tensor x, Object... parameters) {
    Tensor out = Row.zeros(ROWS, COLUMNS);
    OnnxModel model = OnnxModel.of(operator).input("x", ROWS, COLUMNS);
    Object[] arguments = new Object[parameters.length + 2];
    arguments[0] = x;
    System.arraycopy(parameters, 0, arguments, 1, parameters.length);
    arguments[parameters.length + 1] = out;
    return new Row("elementwise " + kernel, kernel, model, List.of(x), out, arguments, TOLERANCE);
  }

  private static Row binary(String kernel, String operator, Tensor a, Tensor b) {
    Tensor out = Row.zeros(ROWS, COLUMNS);
    long[] dims = b.shape().toArray();
    OnnxModel model = OnnxModel.of(operator).input("a", ROWS, COLUMNS).input("b", dims);
    Object[] arguments = {a, b, out};
    String name = "elementwise " + kernel + (dims.length == 1 ? " of a row" : "");
    return new Row(name, kernel, model, List.of(a, b), out, arguments, TOLERANCE);
  }

  private static Tensor sizes(Tensor x) {
    float[] values = x.toFloatArray();
    for (int i = 0; i < values.length; i++) {
      values[i] = Math.abs(values[i]) + 0x1p-20f;
    }
    return Tensor.of(values, Shape.of(ROWS, COLUMNS));
  }
}
