package org.relaxvm.compiler.type;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.relaxvm.api.DType;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.tir.expr.IntImm;
import org.relaxvm.tir.expr.PrimExpr;

/** Extents of shapes: int64 expressions. */
public final class Dims {
  private Dims() {}

  /**
   * Extents from what stands for them.
   *
   * @param dims integers of Java and int64 expressions
   * @throws InvalidProgramException a {@code TypeError} for anything else
   */
  public static List<PrimExpr> of(Object... dims) {
    return Stream.of(dims).map(Dims::dim).toList();
  }

  private static PrimExpr dim(Object value) {
    return switch (value) {
      case PrimExpr expr -> extent(expr);
      case Integer number -> IntImm.of(number);
      case Long number -> IntImm.of(number);
      default ->
          throw new InvalidProgramException(
              ErrorKind.TYPE,
              "an extent must be a number or an int64 expression, but is a "
                  + value.getClass().getSimpleName());
    };
  }

  /** The extents, each of dtype int64; constants of other integer types become so. */
  static List<PrimExpr> checked(List<PrimExpr> dims) {
    return dims.stream().map(Dims::extent).toList();
  }

  private static PrimExpr extent(PrimExpr dim) {
    if (dim.dtype().equals(DType.INT64)) {
      return dim;
    }
    if (dim instanceof IntImm known && known.dtype().isInteger()) {
      return IntImm.of(known.value());
    }
    throw new InvalidProgramException(
        ErrorKind.TYPE,
        "an extent must be int64, but " + PrimText.print(dim) + " is " + dim.dtype());
  }

  static InvalidProgramException wrongRank(String what, int ndim, Optional<List<PrimExpr>> dims) {
    return new InvalidProgramException(
        ErrorKind.VALUE,
        what
            + " cannot have ndim="
            + ndim
            + dims.map(known -> " and the extents " + PrimText.printTuple(known)).orElse("")
            + "; expected the number of extents, or -1 where neither is known");
  }
}
