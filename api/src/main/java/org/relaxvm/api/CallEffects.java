package org.relaxvm.api;

import java.util.EnumSet;
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
 * @param traits what is known of every call of the function
 * @param written the indices of the arguments whose memory is written; that of the others is read
 *     at most, unless {@link Trait#WRITES_ALL} is one of the traits
 */
public record CallEffects(Set<Trait> traits, Set<Integer> written) {

  /** What can be said of the calls of a function. */
  public enum Trait {
    /**
     * The other traits describe the function. A call without it is ordered after all calls before
     * it and before all calls after it.
     */
    KNOWN,
    /** The memory of every argument may be written. */
    WRITES_ALL,
    /** Elements of tensors among the arguments are read, and not only their shapes and dtypes. */
    READS_CONTENTS,
    /** The result may share memory with an argument. */
    VIEW,
    /**
     * The arguments are {@code (storage, byteOffset, shape, dtype, ...)} and the result is the
     * tensor in these bytes.
     */
    TENSOR_IN_STORAGE,
    /** The call takes memory of an allocator. */
    ALLOCATES,
    /** The call may refuse its arguments on behalf of later calls, which then must not run. */
    CHECK,
    /** The call takes no longer than it takes to hand it to another thread. */
    BRIEF
  }

  /** Anything may happen. */
  public static final CallEffects UNKNOWN =
      new CallEffects(
          EnumSet.of(
              Trait.WRITES_ALL, Trait.READS_CONTENTS, Trait.VIEW, Trait.ALLOCATES, Trait.CHECK),
          Set.of());

  private static final CallEffects PURE = writing(Set.of());

  /** Copies the sets. */
  public CallEffects {
    traits = Set.copyOf(traits);
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
    return new CallEffects(EnumSet.of(Trait.KNOWN, Trait.READS_CONTENTS), written);
  }

  /** A function of which is not known which arguments it writes. */
  public static CallEffects writingAny() {
    return PURE.with(Trait.WRITES_ALL);
  }

  /** The same for a function that reads shapes and dtypes, and no element of a tensor. */
  public CallEffects withoutReads() {
    EnumSet<Trait> fewer = EnumSet.copyOf(traits);
    fewer.remove(Trait.READS_CONTENTS);
    return new CallEffects(fewer, written);
  }

  /** The same for a function whose result may share memory with its arguments. */
  public CallEffects asView() {
    return with(Trait.VIEW);
  }

  /**
   * The same for a function of arguments {@code (storage, byteOffset, shape, dtype, ...)} whose
   * result is the tensor in these bytes of the storage.
   */
  public CallEffects asTensorInStorage() {
    return with(Trait.VIEW).with(Trait.TENSOR_IN_STORAGE);
  }

  /** The same for a function that takes memory of an allocator. */
  public CallEffects asAllocation() {
    return with(Trait.ALLOCATES);
  }

  /** The same for a function that refuses arguments which later calls rely on. */
  public CallEffects asCheck() {
    return with(Trait.CHECK);
  }

  /** The same for a function that takes a microsecond at most. */
  public CallEffects brief() {
    return with(Trait.BRIEF);
  }

  private CallEffects with(Trait trait) {
    EnumSet<Trait> more = EnumSet.of(trait);
    more.addAll(traits);
    return new CallEffects(more, written);
  }

  /** Whether the function has a trait. */
  public boolean has(Trait trait) {
    return traits.contains(trait);
  }

  /** Whether a call may write the memory of an argument. */
  public boolean writes(int argument) {
    return has(Trait.WRITES_ALL) || written.contains(argument);
  }
}
