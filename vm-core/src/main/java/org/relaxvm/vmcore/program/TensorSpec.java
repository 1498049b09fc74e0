package org.relaxvm.vmcore.program;

import java.util.List;
import java.util.stream.Collectors;
import org.relaxvm.api.DType;

/**
 * What a program expects or returns at one place: a name, an element type and a shape whose extents
 * may be symbols. Immutable.
 *
 * @param name the parameter's or result's name; never empty for parameters
 * @param shape empty for a scalar tensor
 */
public record TensorSpec(String name, DType dtype, List<Dim> shape) {
  /** Copies the shape. */
  public TensorSpec {
    shape = List.copyOf(shape);
  }

  /** A description from its parts. */
  public static TensorSpec of(String name, DType dtype, Dim... shape) {
    return new TensorSpec(name, dtype, List.of(shape));
  }

  /** Such as {@code image: float32[n, 1, 28, 28]}. */
  @Override
  public String toString() {
    return name
        + ": "
        + dtype
        + shape.stream().map(Dim::toString).collect(Collectors.joining(", ", "[", "]"));
  }
}
