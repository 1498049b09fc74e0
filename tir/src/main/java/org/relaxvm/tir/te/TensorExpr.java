package org.relaxvm.tir.te;

import java.util.List;
import java.util.function.Function;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.PrimExpr;

/** A tensor of a kernel under construction; its elements can be used in other tensors. */
public sealed interface TensorExpr {
  /** The name, of its buffer and of the block that computes it. */
  String name();

  /** The type of the elements. */
  DType dtype();

  /** The extents. */
  List<PrimExpr> shape();

  /**
   * The element at these indices.
   *
   * @param indices one int64 index per axis
   */
  PrimExpr at(List<? extends PrimExpr> indices);

  /** The element at these indices. */
  default PrimExpr at(PrimExpr... indices) {
    return at(List.of(indices));
  }

  /** A tensor with a buffer: an input, or one that is computed before it is used. */
  record Stored(Buffer buffer) implements TensorExpr {
    @Override
    public String name() {
      return buffer.name();
    }

    @Override
    public DType dtype() {
      return buffer.dtype();
    }

    @Override
    public List<PrimExpr> shape() {
      return buffer.shape();
    }

    @Override
    public PrimExpr at(List<? extends PrimExpr> indices) {
      return buffer.load(indices);
    }
  }

  /** A tensor that is recomputed at each use. */
  record Inlined(
      String name, DType dtype, List<PrimExpr> shape, Function<List<PrimExpr>, PrimExpr> element)
      implements TensorExpr {
    @Override
    public PrimExpr at(List<? extends PrimExpr> indices) {
      return element.apply(List.copyOf(indices));
    }
  }
}
