package org.relaxvm.vmcore.program;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.relaxvm.api.DType;
import org.relaxvm.api.DeviceId;

/**
 * A parameter or result of a program: a name, an element type and a shape whose extents may be
 * symbols. Immutable.
 *
 * @param name the parameter's or result's name; never empty for parameters
 * @param shape empty for a scalar tensor
 * @param device one of the program's devices; empty when it does not say where the tensor lies
 */
public record TensorSpec(String name, DType dtype, List<Dim> shape, Optional<DeviceId> device) {
  /** Copies the shape. */
  public TensorSpec {
    shape = List.copyOf(shape);
  }

  /** A description that does not say where the tensor lies. */
  public TensorSpec(String name, DType dtype, List<Dim> shape) {
    this(name, dtype, shape, Optional.empty());
  }

  /** A description from its parts. */
  public static TensorSpec of(String name, DType dtype, Dim... shape) {
    return new TensorSpec(name, dtype, List.of(shape));
  }

  /** The same description with a device. */
  public TensorSpec withDevice(DeviceId newDevice) {
    return new TensorSpec(name, dtype, shape, Optional.of(newDevice));
  }

  /** Such as {@code image: float32[n, 1, 28, 28]}, and {@code on cuda:0} where that is said. */
  @Override
  public String toString() {
    return name
        + ": "
        + dtype
        + shape.stream().map(Dim::toString).collect(Collectors.joining(", ", "[", "]"))
        + device.map(id -> " on " + id).orElse("");
  }
}
