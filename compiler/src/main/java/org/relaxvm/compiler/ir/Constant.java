package org.relaxvm.compiler.ir;

import java.util.Optional;
import java.util.stream.LongStream;
import org.relaxvm.api.Tensor;
import org.relaxvm.compiler.type.TensorType;
import org.relaxvm.compiler.type.Type;
import org.relaxvm.compiler.type.VDevice;
import org.relaxvm.tir.expr.IntImm;

/**
 * A tensor that is known. Equal to itself only, since its data may be large.
 *
 * <p>The tensor lies in host memory, is borrowed, stays open as long as the program is in use, and
 * is not written any more.
 */
public final class Constant implements Expr {
  private final Tensor data;
  private final TensorType type;

  /** A constant. */
  public Constant(Tensor data) {
    this(data, Optional.empty());
  }

  /** A constant on a device. */
  public Constant(Tensor data, Optional<VDevice> vdevice) {
    this.data = data;
    this.type =
        TensorType.of(
                data.dtype(), LongStream.of(data.shape().toArray()).mapToObj(IntImm::of).toList())
            .withVDevice(vdevice);
  }

  /** The tensor. */
  public Tensor data() {
    return data;
  }

  /** What the tensor is: all of it is known. */
  public TensorType tensorType() {
    return type;
  }

  @Override
  public Optional<Type> knownType() {
    return Optional.of(type);
  }

  @Override
  public String toString() {
    return ExprText.print(this);
  }
}
