package org.relaxvm.api.error;

import org.jspecify.annotations.Nullable;

/**
 * For steps that must all be done, such as giving things back, even if some fail: the first failure
 * is kept while the others go on, and raised at the end.
 *
 * <pre>{@code
 * Throwable failure = null;
 * for (Stream stream : streams) {
 *   try {
 *     stream.close();
 *   } catch (RuntimeException | Error e) {
 *     failure = FirstFailure.of(failure, e);
 *   }
 * }
 * FirstFailure.raise(failure);
 * }</pre>
 *
 * <p>Makes no objects, so it works when memory is short. Stateless.
 *
 * <p>Rationale: docs/rationale/vm-core.md, "Why does releasing allocate no objects?"
 */
public final class FirstFailure {
  private FirstFailure() {}

  /** The earlier of two failures. */
  public static Throwable of(@Nullable Throwable first, Throwable next) {
    return first == null ? next : first;
  }

  /**
   * Throws a failure; does nothing for null.
   *
   * @param failure a {@link RuntimeException} or an {@link Error}
   */
  public static void raise(@Nullable Throwable failure) {
    switch (failure) {
      case null -> {}
      case RuntimeException unchecked -> throw unchecked;
      case Error error -> throw error;
      default -> throw new IllegalArgumentException("not an unchecked failure", failure);
    }
  }
}
