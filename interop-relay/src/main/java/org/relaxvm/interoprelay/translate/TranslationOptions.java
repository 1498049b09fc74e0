package org.relaxvm.interoprelay.translate;

/**
 * How programs are translated. Immutable.
 *
 * @param phis what becomes of Phi instructions
 * @param trampoline whether functions that tail-call each other in a circle use no stack for it;
 *     calls of them from elsewhere cost more. Without it only TailInvoke is translated so
 * @param renumberParameters whether a function that is only used for closures with one number of
 *     bound values gets these as its last parameters, which saves a call for each invocation.
 *     Whoever calls such a function by name must pass them last, too
 * @param emptyPhiOperands whether a register is emptied after a Phi took its value, if nobody reads
 *     it later, so that memory is released early
 * @param flattenDatatypes whether the fields of datatypes are passed to packed functions instead of
 *     the datatypes
 */
public record TranslationOptions(
    PhiStrategy phis,
    boolean trampoline,
    boolean renumberParameters,
    boolean emptyPhiOperands,
    boolean flattenDatatypes) {
  /** Static elimination of Phis; everything else is off. */
  public static final TranslationOptions DEFAULT =
      new TranslationOptions(PhiStrategy.STATIC, false, false, false, false);

  /** These options with another strategy for Phis. */
  public TranslationOptions withPhis(PhiStrategy value) {
    return new TranslationOptions(
        value, trampoline, renumberParameters, emptyPhiOperands, flattenDatatypes);
  }

  /** These options with tail calls between functions without use of the stack, or not. */
  public TranslationOptions withTrampoline(boolean value) {
    return new TranslationOptions(
        phis, value, renumberParameters, emptyPhiOperands, flattenDatatypes);
  }

  /** These options with other parameter orders for closures, or not. */
  public TranslationOptions withRenumberParameters(boolean value) {
    return new TranslationOptions(phis, trampoline, value, emptyPhiOperands, flattenDatatypes);
  }

  /** These options with dead operands of Phis emptied, or not. */
  public TranslationOptions withEmptyPhiOperands(boolean value) {
    return new TranslationOptions(phis, trampoline, renumberParameters, value, flattenDatatypes);
  }

  /** These options with datatypes flattened for packed functions, or not. */
  public TranslationOptions withFlattenDatatypes(boolean value) {
    return new TranslationOptions(phis, trampoline, renumberParameters, emptyPhiOperands, value);
  }
}
