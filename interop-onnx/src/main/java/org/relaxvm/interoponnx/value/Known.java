package org.relaxvm.interoponnx.value;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.relaxvm.api.DType;
import org.relaxvm.api.Shape;
import org.relaxvm.api.Tensor;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * A small tensor whose elements are known as numbers or as expressions of symbolic extents, so that
 * arithmetic on shapes needs no kernel. Immutable.
 *
 * @param elements in row-major order; booleans are 0 and 1
 */
public record Known(DType dtype, Shape shape, List<Element> elements) implements Operand {
  /** Elements at most. */
  public static final int LIMIT = 1024;

  /** Copies the list, and checks that it fits the shape. */
  public Known {
    elements = List.copyOf(elements);
    if (shape.elementCount() != elements.size()) {
      throw new IllegalArgumentException(elements.size() + " elements of shape " + shape);
    }
  }

  /** Integers on one axis, as int64. */
  public static Known vector(List<? extends PrimExpr> values) {
    return new Known(
        DType.INT64,
        Shape.of(values.size()),
        values.stream().map(value -> (Element) new Element.Int(value)).toList());
  }

  /** An integer without axes, as int64. */
  public static Known scalar(PrimExpr value) {
    return new Known(DType.INT64, Shape.of(), List.of(new Element.Int(value)));
  }

  /** Whether tensors of a dtype and shape may be known. */
  public static boolean admits(DType dtype, Shape shape) {
    boolean isNumber =
        dtype.equals(DType.BOOL)
            || dtype.equals(DType.FLOAT32)
            || dtype.equals(DType.FLOAT64)
            || (dtype.isInteger() && dtype.isByteAligned() && !dtype.equals(DType.UINT64));
    return isNumber && isSmall(shape);
  }

  /** Whether a shape has few elements, those of an empty one counted as if no extent were 0. */
  public static boolean isSmall(Shape shape) {
    long count = 1;
    for (long dim : shape.toArray()) {
      if (dim > LIMIT) {
        return false;
      }
      count *= Math.max(dim, 1);
      if (count > LIMIT) {
        return false;
      }
    }
    return true;
  }

  /** The known tensor with the elements of a tensor, which {@link #admits} allows. */
  public static Known of(Tensor tensor) {
    DType dtype = tensor.dtype();
    List<Element> elements =
        dtype.isFloat()
            ? Arrays.stream(tensor.toDoubleArray())
                .mapToObj(v -> (Element) new Element.Real(v))
                .toList()
            : LongStream.of(tensor.toLongArray()).mapToObj(Element::of).toList();
    return new Known(dtype, tensor.shape(), elements);
  }

  /** Whether no element refers to a symbol. */
  public boolean isConstant() {
    return elements.stream()
        .allMatch(
            element ->
                element instanceof Element.Real
                    || (element instanceof Element.Int(PrimExpr value) && value instanceof IntImm));
  }

  /** The elements as int64 expressions, where they are integers. */
  public Optional<List<PrimExpr>> integers() {
    if (!elements.stream().allMatch(Element.Int.class::isInstance)) {
      return Optional.empty();
    }
    return Optional.of(elements.stream().map(e -> ((Element.Int) e).value()).toList());
  }

  /** The elements as numbers, where they are integers without symbols. */
  public Optional<List<Long>> longs() {
    return integers()
        .filter(values -> values.stream().allMatch(IntImm.class::isInstance))
        .map(values -> values.stream().map(value -> ((IntImm) value).value()).toList());
  }

  /** The elements as floating-point numbers, where they have no symbols. */
  public Optional<double[]> reals() {
    if (!isConstant()) {
      return Optional.empty();
    }
    return Optional.of(
        elements.stream()
            .mapToDouble(
                element ->
                    switch (element) {
                      case Element.Real(double value) -> value;
                      case Element.Int(PrimExpr value) -> ((IntImm) value).value();
                      case Element.Ratio ratio -> throw new IllegalStateException(ratio.toString());
                    })
            .toArray());
  }

  /** The same elements in another shape of as many. */
  public Known withShape(Shape newShape) {
    return new Known(dtype, newShape, elements);
  }

  /** Elements at positions, in another shape. */
  public Known select(Shape newShape, IntStream positions) {
    return new Known(dtype, newShape, positions.mapToObj(elements::get).toList());
  }
}
