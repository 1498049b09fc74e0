package org.relaxvm.compiler.text;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.ir.Constant;

/** Constants as text: small ones as numbers, others by their index in a list beside the text. */
final class ConstantText {
  private final Map<Tensor, Integer> indices = new IdentityHashMap<>();
  private final List<Tensor> tensors = new ArrayList<>();

  /** The tensors that do not stand in the text, in the order of their indices. */
  List<Tensor> tensors() {
    return tensors;
  }

  String print(Constant constant) {
    Tensor data = constant.data();
    String dtype = "\"" + data.dtype() + "\"";
    String vdevice = constant.tensorType().vdevice().map(v -> ", vdevice=\"" + v + "\"").orElse("");
    return literal(data)
        .map(numbers -> "R.const(" + numbers + ", " + dtype + vdevice + ")")
        .orElseGet(
            () -> {
              String reference = reference(data);
              return vdevice.isEmpty() ? reference : "R.const(" + reference + vdevice + ")";
            });
  }

  private String reference(Tensor data) {
    Integer known = indices.get(data);
    int index = known == null ? tensors.size() : known;
    if (known == null) {
      indices.put(data, index);
      tensors.add(data);
    }
    return "metadata[\"relax.expr.Constant\"][" + index + "]";
  }

  private static Optional<String> literal(Tensor data) {
    Shape shape = data.shape();
    boolean isSmall =
        data.elementCount() > 0
            && data.elementCount() <= Limits.LITERAL_ELEMENTS
            && shape.rank() < Limits.DEPTH
            && data.isContiguous()
            && Elements.hasLiterals(data.dtype());
    if (!isSmall) {
      return Optional.empty();
    }
    StringBuilder out = new StringBuilder();
    return append(out, data, 0, 0) < 0 ? Optional.empty() : Optional.of(out.toString());
  }

  /** Appends the elements of an axis from an index on; the index after them, or -1. */
  private static long append(StringBuilder out, Tensor data, int axis, long from) {
    if (axis == data.shape().rank()) {
      Optional<String> element = Elements.print(data, from);
      element.ifPresent(out::append);
      return element.isPresent() ? from + 1 : -1;
    }
    long index = from;
    out.append('[');
    for (long i = 0; i < data.shape().dim(axis) && index >= 0; i++) {
      out.append(i == 0 ? "" : ", ");
      index = append(out, data, axis + 1, index);
    }
    out.append(']');
    return index;
  }
}
