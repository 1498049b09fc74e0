package org.relaxvm.compiler.type;

import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.PrimExpr;

/**
 * A tensor.
 *
 * @param shape empty when it is not known; that of a scalar is known and has no extents
 * @param dtype of the elements; empty when it is not known
 * @param ndim the number of axes; {@link ShapeType#UNKNOWN} when it is not known
 * @param vdevice where it lies; empty when the program does not say
 */
public record TensorType(
    Optional<TensorShape> shape, Optional<DType> dtype, int ndim, Optional<VDevice> vdevice)
    implements Type {
  /** Checks the number of axes. */
  public TensorType {
    if (ndim < ShapeType.UNKNOWN || (shape.isPresent() && shape.get().ndim() != ndim)) {
      throw Dims.wrongRank("a tensor", ndim, shape.flatMap(TensorShape::dims));
    }
  }

  /**
   * A tensor of known dtype and shape.
   *
   * @param dims integers of Java and int64 expressions
   */
  public static TensorType of(DType dtype, Object... dims) {
    return of(dtype, Dims.of(dims));
  }

  /** A tensor of known dtype and shape. */
  public static TensorType of(DType dtype, List<? extends PrimExpr> dims) {
    return of(Optional.of(dtype), List.copyOf(dims));
  }

  /** A tensor of known shape. */
  public static TensorType of(Optional<DType> dtype, List<? extends PrimExpr> dims) {
    return new TensorType(
        Optional.of(new TensorShape.Known(List.copyOf(dims))),
        dtype,
        dims.size(),
        Optional.empty());
  }

  /** A tensor whose shape is the value of a variable. */
  public static TensorType of(Optional<DType> dtype, ShapeVar shape) {
    return new TensorType(
        Optional.of(new TensorShape.OfVar(shape)),
        dtype,
        shape.shapeType().ndim(),
        Optional.empty());
  }

  /** A tensor of which the number of axes is known, and perhaps the dtype. */
  public static TensorType ofRank(Optional<DType> dtype, int ndim) {
    return new TensorType(Optional.empty(), dtype, ndim, Optional.empty());
  }

  /** A tensor of which the number of axes is known, and the dtype. */
  public static TensorType ofRank(DType dtype, int ndim) {
    return ofRank(Optional.of(dtype), ndim);
  }

  /** Any tensor. */
  public static TensorType unknown() {
    return ofRank(Optional.empty(), ShapeType.UNKNOWN);
  }

  /** The extents, also those of a variable; empty when they are not known. */
  public Optional<List<PrimExpr>> dims() {
    return shape.flatMap(TensorShape::dims);
  }

  /** Whether the number of axes is known. */
  public boolean hasRank() {
    return ndim != ShapeType.UNKNOWN;
  }

  /** The same tensor of another dtype. */
  public TensorType withDType(Optional<DType> newDType) {
    return new TensorType(shape, newDType, ndim, vdevice);
  }

  /** The same tensor of known extents. */
  public TensorType withDims(List<? extends PrimExpr> dims) {
    return of(dtype, dims).withVDevice(vdevice);
  }

  /** The same tensor of unknown shape with this number of axes. */
  public TensorType withRank(int newNdim) {
    return new TensorType(Optional.empty(), dtype, newNdim, vdevice);
  }

  /** The same tensor on another device. */
  public TensorType withVDevice(Optional<VDevice> newVDevice) {
    return new TensorType(shape, dtype, ndim, newVDevice);
  }

  @Override
  public String toString() {
    return TypeText.print(this);
  }
}
