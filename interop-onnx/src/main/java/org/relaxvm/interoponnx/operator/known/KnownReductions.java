package org.relaxvm.interoponnx.operator.known;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BinaryOperator;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.Shape;
import org.relaxvm.interoponnx.convert.NodeContext;
import org.relaxvm.interoponnx.value.Element;
import org.relaxvm.interoponnx.value.Known;
import org.relaxvm.interoponnx.value.Operand;
import org.relaxvm.tir.expr.Exprs;
import org.relaxvm.tir.expr.PrimExpr;

/** Reductions and running sums of known tensors, where no sum is of nothing. */
public final class KnownReductions {
  private static final Optional<List<Long>> NO_AXES = Optional.of(List.of());

  private KnownReductions() {}

  /** What two elements give. */
  private record Combination(BinaryOperator<PrimExpr> integers, DoubleBinaryOperator reals) {
    Optional<Element> apply(Element a, Element b) {
      if (a instanceof Element.Int(PrimExpr x) && b instanceof Element.Int(PrimExpr y)) {
        return Optional.of(new Element.Int(integers.apply(x, y)));
      }
      Optional<Double> x = Elements.real(a);
      Optional<Double> y = Elements.real(b);
      return x.isPresent() && y.isPresent()
          ? Optional.of(new Element.Real(reals.applyAsDouble(x.get(), y.get())))
          : Optional.empty();
    }
  }

  private static final Combination SUM = new Combination(Exprs::add, Double::sum);
  private static final Combination PROD = new Combination(Exprs::mul, (a, b) -> a * b);
  private static final Combination MAX = new Combination(Exprs::max, Math::max);
  private static final Combination MIN = new Combination(Exprs::min, Math::min);

  /** {@code ReduceSum}. */
  public static Optional<Operand> sum(NodeContext node) {
    return reduced(node, SUM);
  }

  /** {@code ReduceProd}. */
  public static Optional<Operand> prod(NodeContext node) {
    return reduced(node, PROD);
  }

  /** {@code ReduceMax}. */
  public static Optional<Operand> max(NodeContext node) {
    return reduced(node, MAX);
  }

  /** {@code ReduceMin}. */
  public static Optional<Operand> min(NodeContext node) {
    return reduced(node, MIN);
  }

  private static Optional<Operand> reduced(NodeContext node, Combination combination) {
    Optional<Known> x = node.known(0);
    Optional<List<Long>> given =
        node.attributes().integers("axes").or(() -> node.has(1) ? node.integers(1) : NO_AXES);
    if (x.isEmpty() || given.isEmpty()) {
      return Optional.empty();
    }
    Shape shape = x.get().shape();
    boolean isAll = given.get().isEmpty() && !node.attributes().flag("noop_with_empty_axes", false);
    List<Integer> axes =
        isAll
            ? IntStream.range(0, shape.rank()).boxed().toList()
            : given.get().stream().map(axis -> KnownShapes.axis(node, axis, shape.rank())).toList();
    long[] kept = shape.toArray();
    axes.forEach(axis -> kept[axis] = 1);
    return combined(node, x.get(), Shape.of(kept), combination)
        .map(
            result ->
                node.attributes().flag("keepdims", true)
                    ? result
                    : result.withShape(
                        Shape.of(
                            IntStream.range(0, kept.length)
                                .filter(axis -> !axes.contains(axis))
                                .mapToLong(axis -> kept[axis])
                                .toArray())));
  }

  /** The elements whose positions agree in a shape with some extents of 1, as one each. */
  private static Optional<Known> combined(
      NodeContext node, Known x, Shape target, Combination combination) {
    @Nullable Element[] results = new Element[(int) target.elementCount()];
    long[] strides = KnownShapes.strides(target);
    for (int position = 0; position < x.elements().size(); position++) {
      long[] index = KnownShapes.index(position, x.shape());
      int at = 0;
      for (int axis = 0; axis < index.length; axis++) {
        at += target.dim(axis) == 1 ? 0 : (int) (index[axis] * strides[axis]);
      }
      Element element = x.elements().get(position);
      Element before = results[at];
      Optional<Element> after =
          before == null ? Optional.of(element) : combination.apply(before, element);
      if (after.isEmpty() || !Elements.isOf(after.get(), x.dtype())) {
        return Optional.empty();
      }
      results[at] = after.get();
    }
    List<Element> elements = new ArrayList<>();
    for (Element result : results) {
      if (result == null) {
        return Optional.empty();
      }
      elements.add(finished(node, x, result));
    }
    return Optional.of(new Known(x.dtype(), target, elements));
  }

  private static Element finished(NodeContext node, Known x, Element element) {
    return Elements.rounded(Elements.simplified(element, node.analyzer()), x.dtype());
  }

  /** {@code CumSum} of one axis. */
  public static Optional<Operand> cumsum(NodeContext node) {
    Optional<Known> x = node.known(0);
    boolean isPlain =
        !node.attributes().flag("exclusive", false) && !node.attributes().flag("reverse", false);
    if (x.isEmpty() || !isPlain || x.get().shape().rank() != 1) {
      return Optional.empty();
    }
    Element[] sums = x.get().elements().toArray(new Element[0]);
    for (int i = 1; i < sums.length; i++) {
      Optional<Element> sum = SUM.apply(sums[i - 1], sums[i]);
      if (sum.isEmpty() || !Elements.isOf(sum.get(), x.get().dtype())) {
        return Optional.empty();
      }
      sums[i] = finished(node, x.get(), sum.get());
    }
    return Optional.of(new Known(x.get().dtype(), x.get().shape(), Arrays.asList(sums)));
  }
}
