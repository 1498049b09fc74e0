package org.relaxvm.interoponnx.operator.recurrent;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.tir.op.serial.GateFunction;
import org.relaxvm.tir.op.serial.GateFunction.Kind;

/** Activation functions of gates, as attributes name them. */
final class GateFunctions {
  /** Functions by their names in lower case. */
  private static final Map<String, Function> FUNCTIONS =
      Map.ofEntries(
          entry(Kind.RELU),
          entry(Kind.TANH),
          entry(Kind.SIGMOID),
          Map.entry("affine", new Function(Kind.AFFINE, true, true, 1, 0)),
          Map.entry("leakyrelu", new Function(Kind.LEAKY_RELU, true, false, 0.01f, 0)),
          Map.entry("thresholdedrelu", new Function(Kind.THRESHOLDED_RELU, true, false, 1, 0)),
          Map.entry("scaledtanh", new Function(Kind.SCALED_TANH, true, true, 1, 1)),
          Map.entry("hardsigmoid", new Function(Kind.HARD_SIGMOID, true, true, 0.2f, 0.5f)),
          Map.entry("elu", new Function(Kind.ELU, true, false, 1, 0)),
          entry(Kind.SOFTSIGN),
          entry(Kind.SOFTPLUS));

  private GateFunctions() {}

  private record Function(Kind kind, boolean hasAlpha, boolean hasBeta, float alpha, float beta) {}

  private static Map.Entry<String, Function> entry(Kind kind) {
    return Map.entry(kind.text(), new Function(kind, false, false, 0, 0));
  }

  /**
   * The functions of all directions, in order. Functions that have parameters take the next ones of
   * the lists, as long as there are any.
   *
   * @param defaults of one direction
   */
  static List<List<GateFunction>> of(NodeContext node, int directions, Kind... defaults) {
    int count = defaults.length;
    List<String> names =
        node.attributes()
            .strings("activations")
            .filter(list -> !list.isEmpty())
            .orElseGet(() -> repeated(directions, defaults));
    if (names.size() < directions * count) {
      throw node.unsupported(
          "it has " + names.size() + " activations; expected " + directions * count, "");
    }
    Iterator<Float> alphas = parameters(node, "activation_alpha");
    Iterator<Float> betas = parameters(node, "activation_beta");
    List<List<GateFunction>> all = new ArrayList<>();
    for (int direction = 0; direction < directions; direction++) {
      List<GateFunction> own = new ArrayList<>();
      for (String name : names.subList(direction * count, (direction + 1) * count)) {
        own.add(function(node, name, alphas, betas));
      }
      all.add(own);
    }
    return all;
  }

  private static List<String> repeated(int directions, Kind... defaults) {
    List<String> names = new ArrayList<>();
    for (int direction = 0; direction < directions; direction++) {
      Arrays.stream(defaults).map(Kind::text).forEach(names::add);
    }
    return names;
  }

  private static Iterator<Float> parameters(NodeContext node, String attribute) {
    return node.attributes().reals(attribute).orElse(List.of()).iterator();
  }

  private static GateFunction function(
      NodeContext node, String name, Iterator<Float> alphas, Iterator<Float> betas) {
    Function function = FUNCTIONS.get(name.toLowerCase(Locale.ROOT));
    if (function == null) {
      throw node.unsupported(
          "there is no activation '"
              + name
              + "'; there are Relu, Tanh, Sigmoid, Affine, LeakyRelu, ThresholdedRelu, ScaledTanh,"
              + " HardSigmoid, Elu, Softsign and Softplus",
          "");
    }
    float alpha = function.hasAlpha && alphas.hasNext() ? alphas.next() : function.alpha;
    float beta = function.hasBeta && betas.hasNext() ? betas.next() : function.beta;
    return new GateFunction(function.kind, alpha, beta);
  }
}
