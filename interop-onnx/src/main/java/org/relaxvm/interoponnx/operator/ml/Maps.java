package org.relaxvm.interoponnx.operator.ml;

import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.compiler.ir.Expr;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.operator.text.Texts;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.interoponnx.value.ValueType;
import org.relaxvm.interoponnx.value.ValueType.OfMap;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Maps from numbers or strings to values: a tuple of the keys and of the values. */
final class Maps {
  private Maps() {}

  /** A map for each row: from the keys, which are an attribute, to the row's elements. */
  static List<Operand> zip(NodeContext node) {
    Expr x = Numbers.matrix(node, Numbers.as(node, node.tensor(0), DType.FLOAT32));
    Operand keys = Labels.classes(node, "classlabels_int64s");
    int count = Labels.count(node, keys);
    if (Numbers.columns(node, x) != count) {
      throw node.unsupported(
          "there are " + count + " keys for " + Numbers.columns(node, x) + " columns", "");
    }
    Expr rows = Texts.packed(node, "relaxvm.host.zip_map", List.of(x, node.packed(keys)));
    ValueType map = new OfMap(Texts.areStrings(keys), Optional.of(DType.FLOAT32));
    return List.of(new Operand.Listed(rows, Optional.of(map)));
  }

  private static Operand.Mapped map(NodeContext node) {
    if (node.operand(0) instanceof Operand.Mapped map) {
      return map;
    }
    throw node.unsupported("the input is no map", "");
  }

  /** The values of a map in the order of a vocabulary: [1, words]; 0 for those without a value. */
  static List<Operand> vectorize(NodeContext node) {
    Operand.Mapped map = map(node);
    Optional<List<String>> words = node.attributes().strings("string_vocabulary");
    List<Long> numbers = node.attributes().integers("int64_vocabulary").orElse(List.of());
    int count = words.map(List::size).orElse(numbers.size());
    if (words.isPresent() != map.type().isOfStrings()) {
      throw node.unsupported("the vocabulary has other elements than the keys of the map", "");
    }
    Operand vocabulary =
        words.isPresent()
            ? new Operand.Strings(Shape.of(count), words.get())
            : node.operandOf(
                Numbers.integers(numbers.stream().mapToLong(Long::longValue).toArray(), count));
    List<Expr> args = List.of(map.expr(), node.packed(vocabulary));
    List<PrimExpr> dims = List.of(IntImm.of(1), IntImm.of(count));
    Optional<DType> dtype = map.type().value();
    return List.of(
        dtype.isPresent()
            ? Texts.tensor(node, "relaxvm.host.map_values", args, dtype.get(), dims)
            : node.text(Texts.packed(node, "relaxvm.host.map_values", args), dims));
  }
}
