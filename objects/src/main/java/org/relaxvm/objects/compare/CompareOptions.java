package org.relaxvm.objects.compare;

/**
 * How values are compared and hashed.
 *
 * @param mapFreeVars whether variables that neither side defines may stand for each other; without
 *     it, such a variable is equal to itself only
 * @param skipTensorContent whether tensors of one shape and dtype are equal, whatever they hold
 */
public record CompareOptions(boolean mapFreeVars, boolean skipTensorContent) {
  /** Free variables are equal to themselves only, tensors are compared. */
  public static final CompareOptions DEFAULT = new CompareOptions(false, false);
}
