package org.relaxvm.compiler.op.typerule;

import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.compiler.ir.RelaxVar;
import org.relaxvm.compiler.op.OpCall;
import org.relaxvm.compiler.type.ShapeType;
import org.relaxvm.compiler.type.TensorShape;
import org.relaxvm.compiler.type.TensorType;

/** Arguments that are the shape of the result. */
public final class ShapeArgs {
  private ShapeArgs() {}

  /** A tensor of the shape that an argument is, as far as it is known. */
  public static TensorType tensor(OpCall call, int index, Optional<DType> dtype) {
    ShapeType type = call.shape(index);
    Optional<TensorShape> shape =
        call.dims(index).map(dims -> new TensorShape.Known(Extents.simplify(call, dims)));
    if (shape.isEmpty() && call.arg(index) instanceof RelaxVar var) {
      shape = Optional.of(new TensorShape.OfVar(var));
    }
    int ndim = shape.map(TensorShape::ndim).orElse(type.ndim());
    return new TensorType(shape, dtype, ndim, Optional.empty());
  }
}
