package org.relaxvm.tir.op.support;

import java.util.List;
import java.util.stream.IntStream;
import org.relaxvm.tir.expr.PrimExpr;
import org.relaxvm.tir.te.KernelBuilder;
import org.relaxvm.tir.te.TensorExpr;

/**
 * Where axes lie, named by letters, seen from a plain order.
 *
 * @param order the position of each plain axis
 */
public record Layout(List<Integer> order) {
  /** The layout of a text such as {@code NHWC}. */
  public static Layout of(String op, String text, String plain) {
    Check.that(
        text.length() == plain.length() && plain.chars().allMatch(c -> text.indexOf(c) >= 0),
        op,
        "the layout " + text + " is no order of the letters " + plain);
    return new Layout(plain.chars().mapToObj(text::indexOf).toList());
  }

  /** The plain letters of data with so many spatial axes. */
  public static String data(int spatial) {
    return "NC" + "DHW".substring(3 - spatial);
  }

  /** The plain letters of a kernel of a convolution. */
  public static String kernel(int spatial) {
    return "OI" + "DHW".substring(3 - spatial);
  }

  /** Whether the axes lie in the plain order. */
  public boolean isPlain() {
    return order.equals(IntStream.range(0, order.size()).boxed().toList());
  }

  /** A tensor of this layout in the plain one. */
  public TensorExpr plain(KernelBuilder k, TensorExpr x) {
    if (isPlain()) {
      return x;
    }
    return k.inlined(
        x.name() + "_plain", order.stream().map(x.shape()::get).toList(), i -> x.at(own(i)));
  }

  /** Plain extents or indices in this layout. */
  public List<PrimExpr> own(List<PrimExpr> plain) {
    return IntStream.range(0, plain.size())
        .mapToObj(position -> plain.get(order.indexOf(position)))
        .toList();
  }

  /** Extents or indices of this layout in the plain one. */
  public List<PrimExpr> plain(List<PrimExpr> own) {
    return order.stream().map(own::get).toList();
  }
}
