package org.relaxvm.tir.expr;

import java.util.List;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;

/**
 * An array in memory, with extents that may be symbolic. Equal to itself only; the name is for
 * people.
 *
 * <p>The element at indices {@code i} lies {@code elemOffset + sum of i[k] * strides[k]} elements
 * from the start of the memory.
 */
public final class Buffer {
  private final String name;
  private final DType dtype;
  private final List<PrimExpr> shape;
  private final List<PrimExpr> strides;
  private final PrimExpr elemOffset;
  private final MemoryScope scope;

  /**
   * A new buffer.
   *
   * @param shape int64 extents; none for a scalar
   * @param strides int64, in elements; empty when elements are row-major
   * @param elemOffset int64: the place of the first element
   */
  public Buffer(
      String name,
      DType dtype,
      List<? extends PrimExpr> shape,
      List<? extends PrimExpr> strides,
      PrimExpr elemOffset,
      MemoryScope scope) {
    DTypes.requireScalar(dtype, "the buffer " + name);
    this.name = name;
    this.dtype = dtype;
    this.shape = List.copyOf(shape);
    this.strides = List.copyOf(strides);
    this.elemOffset = elemOffset;
    this.scope = scope;
    if (!strides.isEmpty() && strides.size() != shape.size()) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "the buffer "
              + name
              + " has "
              + Count.axes(shape.size())
              + ", but "
              + Count.of(strides.size(), "stride", "strides"));
    }
    this.shape.forEach(extent -> requireIndex(extent, "an extent"));
    this.strides.forEach(stride -> requireIndex(stride, "a stride"));
    requireIndex(elemOffset, "the offset");
  }

  /** A buffer that is row-major in the memory of the device. */
  public static Buffer of(String name, DType dtype, List<? extends PrimExpr> shape) {
    return of(name, dtype, shape, MemoryScope.GLOBAL);
  }

  /** The same in another memory. */
  public static Buffer of(
      String name, DType dtype, List<? extends PrimExpr> shape, MemoryScope scope) {
    return new Buffer(name, dtype, shape, List.of(), IntImm.of(0), scope);
  }

  /** The name, which other buffers may have too. */
  public String name() {
    return name;
  }

  /** The type of the elements. */
  public DType dtype() {
    return dtype;
  }

  /** The extents. */
  public List<PrimExpr> shape() {
    return shape;
  }

  /** The steps along the axes in elements; empty when elements are row-major. */
  public List<PrimExpr> strides() {
    return strides;
  }

  /** The place of the first element, in elements. */
  public PrimExpr elemOffset() {
    return elemOffset;
  }

  /** Where it lies. */
  public MemoryScope scope() {
    return scope;
  }

  /** The number of axes. */
  public int rank() {
    return shape.size();
  }

  /** The element at these indices. */
  public PrimExpr load(List<? extends PrimExpr> indices) {
    return new BufferLoad(this, List.copyOf(indices));
  }

  /** The element at these indices. */
  public PrimExpr load(PrimExpr... indices) {
    return load(List.of(indices));
  }

  /**
   * A copy of indices that fit this buffer.
   *
   * @throws InvalidProgramException when there is not one int64 index per axis
   */
  public List<PrimExpr> checkIndices(List<PrimExpr> indices) {
    if (indices.size() != rank()) {
      throw new InvalidProgramException(
          ErrorKind.VALUE,
          "the buffer "
              + name
              + " has "
              + Count.axes(rank())
              + ", but got "
              + Count.of(indices.size(), "index", "indices"));
    }
    indices.forEach(index -> requireIndex(index, "an index"));
    return List.copyOf(indices);
  }

  private void requireIndex(PrimExpr value, String what) {
    if (!value.dtype().equals(DType.INT64)) {
      throw new InvalidProgramException(
          ErrorKind.TYPE,
          what + " of the buffer " + name + " must be int64, but is " + value.dtype());
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
