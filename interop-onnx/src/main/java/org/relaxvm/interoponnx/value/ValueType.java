package org.relaxvm.interoponnx.value;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.relaxvm.api.DType;
import org.relaxvm.tir.expr.PrimExpr;

/** What is known of a value without the value itself. Immutable. */
public sealed interface ValueType {
  /** The number of axes where it is not known. */
  int UNKNOWN_RANK = -1;

  /**
   * A tensor of numbers.
   *
   * @param dims empty when the number of axes is unknown; an extent that is unknown, or differs
   *     between values of the type, is empty
   */
  record OfTensor(DType dtype, Optional<List<Optional<PrimExpr>>> dims) implements ValueType {
    /** Copies the list. */
    public OfTensor {
      dims = dims.map(List::copyOf);
    }

    /** A tensor of these extents. */
    public static OfTensor of(DType dtype, List<? extends PrimExpr> extents) {
      List<Optional<PrimExpr>> dims = new ArrayList<>();
      extents.forEach(extent -> dims.add(Optional.of(extent)));
      return new OfTensor(dtype, Optional.of(dims));
    }

    /** The number of axes, or {@link #UNKNOWN_RANK}. */
    public int rank() {
      return dims.map(List::size).orElse(UNKNOWN_RANK);
    }
  }

  /**
   * A tensor of strings.
   *
   * @param rank the number of axes, or {@link #UNKNOWN_RANK}
   */
  record OfStrings(int rank) implements ValueType {}

  /** A sequence of known length. */
  record OfFixed(List<ValueType> elements) implements ValueType {
    /** Copies the list. */
    public OfFixed {
      elements = List.copyOf(elements);
    }
  }

  /**
   * A sequence whose length is known at run time.
   *
   * @param element what all elements are; empty when there is none yet
   */
  record OfList(Optional<ValueType> element) implements ValueType {}

  /**
   * A map from int64 or strings.
   *
   * @param value the dtype of values; empty for strings
   */
  record OfMap(boolean isOfStrings, Optional<DType> value) implements ValueType {}

  /** An optional value of which it is known whether it is there. */
  record OfMaybe(Optional<ValueType> value) implements ValueType {}

  /**
   * An optional value of which it is known at run time whether it is there.
   *
   * @param value what it is; empty when no value is known yet
   */
  record OfPossible(Optional<ValueType> value) implements ValueType {}
}
