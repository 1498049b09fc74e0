package org.relaxvm.interoponnx.operator.sequence;

import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.convert.OperatorTable;
import org.relaxvm.interoponnx.value.Element;
import org.relaxvm.interoponnx.value.Known;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.interoponnx.value.ValueType;

/** Values that may be absent. */
public final class Optionals {
  private Optionals() {}

  /** Adds the operators to a table. */
  public static void addTo(OperatorTable.Builder table) {
    table
        .add("Optional", 15, Optionals::optional)
        .add("OptionalGetElement", 15, Optionals::element)
        .add("OptionalHasElement", 15, Optionals::isPresent);
  }

  private static List<Operand> optional(NodeContext node) {
    return List.of(
        new Operand.Maybe(node.has(0) ? Optional.of(node.operand(0)) : Optional.empty()));
  }

  /** A value that is not optional is its own element. */
  private static List<Operand> element(NodeContext node) {
    return List.of(
        switch (node.operand(0)) {
          case Operand.Maybe(Optional<Operand> value) ->
              value.orElseThrow(
                  () ->
                      node.unsupported(
                          "the optional value is absent, but its element is used", ""));
          case Operand.Possible(Expr expr, Optional<ValueType> type) ->
              node.unpacked(
                  expr,
                  type.orElseThrow(
                      () ->
                          node.unsupported(
                              "the optional value is never there, but its element is used", "")));
          default -> node.operand(0);
        });
  }

  private static List<Operand> isPresent(NodeContext node) {
    if (node.has(0) && node.operand(0) instanceof Operand.Possible(Expr expr, var type)) {
      return List.of(
          node.operandOf(
              Lists.packed(
                  node, "relaxvm.host.is_present", List.of(expr), TensorType.of(DType.BOOL))));
    }
    return List.of(new Known(DType.BOOL, Shape.of(), List.of(Element.of(node.has(0)))));
  }
}
