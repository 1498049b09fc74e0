package org.relaxvm.tir.library;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.relaxvm.tir.te.TensorExpr;

/**
 * What a function of the library computes.
 *
 * @param result makes the result of operands: a tensor named {@value Operands#OUT}. Asked for
 *     constant extents first, and refuses then what is wrong with a call
 * @param known extents that have to be constants: those that the result does not only compare with
 *     others
 * @param helpful extents that make better code as constants
 * @param flat whether the tensors of a call count as lines of all their elements
 */
record Formula(
    Function<? super Operands, TensorExpr> result,
    Function<? super LibraryCall, List<Long>> known,
    Function<? super LibraryCall, List<Long>> helpful,
    Predicate<? super LibraryCall> flat) {

  /** A formula of any extents. */
  static Formula of(Function<? super Operands, TensorExpr> result) {
    return new Formula(result, call -> List.of(), call -> List.of(), call -> false);
  }

  /** A formula that needs all extents. */
  static Formula ofKnown(Function<? super Operands, TensorExpr> result) {
    return of(result).knowing(LibraryCall::extents);
  }

  /** The formula, with some extents that have to be constants. */
  Formula knowing(Function<? super LibraryCall, List<Long>> extents) {
    return new Formula(result, extents, helpful, flat);
  }

  /** The formula, with some extents that make better code as constants. */
  Formula preferring(Function<? super LibraryCall, List<Long>> extents) {
    return new Formula(result, known, extents, flat);
  }

  /** The formula, of tensors as lines: where all have one shape, or for any shapes. */
  Formula ofLines(boolean anyShapes) {
    return new Formula(result, known, helpful, anyShapes ? call -> true : LibraryCall::hasOneShape);
  }

  /**
   * The extents of a call in its kernel.
   *
   * @param general whether kernels serve as many calls as they can, instead of being fast
   */
  CallExtents extents(LibraryCall call, boolean general) {
    List<Long> constants = new ArrayList<>(known.apply(call));
    if (!general) {
      constants.addAll(helpful.apply(call));
    }
    return CallExtents.symbolic(constants);
  }
}
