package org.relaxvm.api;

import java.util.Set;

/**
 * What a call of a function reads and writes. An engine that knows it may run a call at the same
 * time as others, before or after them, as long as no call sees a difference.
 *
 * <p>Effects are a promise. A function with known effects uses no memory but that of its arguments
 * and what it allocates, keeps none of its arguments, has no state that another call can see, calls
 * no function of the program, and gives the same result in any thread.
 *
 * <p>Immutable and thread-safe.
 *
 * @param isKnown whether the other components say anything: a call with unknown effects is ordered
 *     after all calls before it and before all calls after it
 * @param writesAll whether the memory of every argument may be written
 * @param written otherwise the indices of the arguments whose memory is written; that of the others
 *     is read at most
 * @param readsContents whether elements of tensors among the other arguments are read, and not only
 *     their shapes and dtypes
 * @param isView whether the result may share memory with an argument
 * @param isTensorInStorage whether the arguments are {@code (storage, byteOffset, shape, dtype,
 *     ...)} and the result is the tensor in these bytes
 * @param allocates whether the call takes memory of an allocator
 * @param isCheck whether the call may refuse its arguments on behalf of later calls, which then
 *     must not run
 * @param isBrief whether the call takes no longer than it takes to hand it to another thread
 */
public record CallEffects(
    boolean isKnown,
    boolean writesAll,
    Set<Integer> written,
    boolean readsContents,
    boolean isView,
    boolean isTensorInStorage,
    boolean allocates,
    boolean isCheck,
    boolean isBrief) {

  /** Anything may happen. */
  public static final CallEffects UNKNOWN =
      new CallEffects(false, true, Set.of(), true, true, false, true, true, false);

  private static final CallEffects PURE =
      new CallEffects(true, false, Set.of(), true, false, false, false, false, false);

  /** Copies the set. */
  public CallEffects {
    written = Set.copyOf(written);
  }

  /** A function that writes to no argument; its result shares no memory with them. */
  public static CallEffects pure() {
    return PURE;
  }

  /**
   * A function that writes the memory of some arguments, such as the outputs of a kernel.
   *
   * @param written indices of these arguments
   */
  public static CallEffects writing(Set<Integer> written) {
    return new CallEffects(true, false, written, true, false, false, false, false, false);
  }

  /** A function of which is not known which arguments it writes. */
  public static CallEffects writingAny() {
    return new CallEffects(true, true, Set.of(), true, false, false, false, false, false);
  }

  /** The same for a function that reads shapes and dtypes, and no element of a tensor. */
  public CallEffects withoutReads() {
    return new CallEffects(
        isKnown, writesAll, written, false, isView, isTensorInStorage, allocates, isCheck, isBrief);
  }

  /** The same for a function whose result may share memory with its arguments. */
  public CallEffects asView() {
    return new CallEffects(
        isKnown,
        writesAll,
        written,
        readsContents,
        true,
        isTensorInStorage,
        allocates,
        isCheck,
        isBrief);
  }

  /**
   * The same for a function of arguments {@code (storage, byteOffset, shape, dtype, ...)} whose
   * result is the tensor in these bytes of the storage.
   */
  public CallEffects asTensorInStorage() {
    return new CallEffects(
        isKnown, writesAll, written, readsContents, true, true, allocates, isCheck, isBrief);
  }

  /** The same for a function that takes memory of an allocator. */
  public CallEffects asAllocation() {
    return new CallEffects(
        isKnown,
        writesAll,
        written,
        readsContents,
        isView,
        isTensorInStorage,
        true,
        isCheck,
        isBrief);
  }

  /** The same for a function that refuses arguments which later calls rely on. */
  public CallEffects asCheck() {
    return new CallEffects(
        isKnown,
        writesAll,
        written,
        readsContents,
        isView,
        isTensorInStorage,
        allocates,
        true,
        isBrief);
  }

  /** The same for a function that takes a microsecond at most. */
  public CallEffects brief() {
    return new CallEffects(
        isKnown,
        writesAll,
        written,
        readsContents,
        isView,
        isTensorInStorage,
        allocates,
        isCheck,
        true);
  }

  /** Whether a call may write the memory of an argument. */
  public boolean writes(int argument) {
    return writesAll || written.contains(argument);
  }
}
