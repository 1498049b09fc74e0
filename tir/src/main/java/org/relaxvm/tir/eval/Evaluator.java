package org.relaxvm.tir.eval;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.Tensor;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.InvalidProgramException;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.tir.PrimFunc;

/**
 * Runs kernels on the host as written, one element at a time, and checks everything that can be
 * checked: each index, each division, each read of uninitialised memory.
 *
 * <p>All loops run serially. Memory of blocks is filled with NaN, true or the integer of only the
 * top bit, and remembers what was written; it counts as written altogether once a packed function
 * has had it. Immutable and thread-safe.
 *
 * @param functions finds what packed calls name
 * @param reverseConcurrent runs loops whose iterations may run at the same time from their last
 *     iteration to their first, so that kernels that depend on the order give another result
 */
public record Evaluator(
    Function<String, Optional<PackedFunc>> functions, boolean reverseConcurrent) {

  /** An evaluator without packed functions. */
  public Evaluator() {
    this(name -> Optional.empty(), false);
  }

  /**
   * Runs a kernel.
   *
   * <p>Extents, strides and offsets that are a variable alone get their value from the first
   * argument that has them, in this order: scalars, extents, strides and offsets. All others are
   * compared with it. Strides of axes with at most one index never count. A tensor may have any
   * strides where the buffer has none, and any offset where that of the buffer is 0.
   *
   * @param args per parameter a {@link Tensor} on the host, a Long of an integer ({@code uint64}:
   *     the same 64 bits), a Double of a float, which is rounded to its dtype, or a Boolean; all
   *     borrowed
   * @return what the kernel returns, as a Long, Double or Boolean; empty for dtype void
   * @throws CallException for arguments that do not fit the parameters, an index outside of its
   *     buffer, an integer divided by 0, a read of an element that was never written, an unknown
   *     packed function; with the kernel and the values of all variables
   * @throws InvalidProgramException when the kernel itself is wrong, as with a variable without a
   *     value
   */
  public Optional<Object> run(PrimFunc function, List<?> args) {
    Scope scope = new Scope(function.name());
    try {
      new ArgumentBinding(function, scope).bind(args);
      return new Statements(this, function, scope).run();
    } catch (RelaxException e) {
      e.addLocation(scope.location());
      throw e;
    }
  }
}
