package org.relaxvm.backendcpu.vector;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/**
 * All memory of the process as one segment, for loops in vectors. Of any other segment the JIT
 * compiler must ask at each access, or in front of each loop, of which class it is, whether it is
 * open and how long it is. Of this one it knows all that when it compiles, and what is left to ask
 * it proves where an address is known not to be negative.
 *
 * <p>Nothing stops a loop that leaves its buffer here. So each loop asks {@link #reach} once for
 * each buffer, and only works on memory that nobody closes meanwhile (the pins of a call of
 * generated code).
 *
 * <p>Rationale: docs/rationale/backend-cpu.md, "Why do vector loops use raw addresses?"
 */
public final class ProcessMemory {
  /** No place where memory can be is above, signs of pointers left out. */
  private static final long ADDRESSES = Long.MAX_VALUE >>> 1;

  /** Scopes that end with the last reference, or never. */
  private static final Set<Class<?>> LASTING =
      Set.of(Arena.ofAuto().scope().getClass(), Arena.global().scope().getClass());

  /** The segment; of no bytes where the JVM was not told to allow that. */
  public static final MemorySegment ALL = all();

  private ProcessMemory() {}

  @SuppressWarnings("restricted") // only where it is allowed, and for proven places: see above
  private static MemorySegment all() {
    return ProcessMemory.class.getModule().isNativeAccessEnabled()
        ? MemorySegment.NULL.reinterpret(Long.MAX_VALUE)
        : MemorySegment.NULL;
  }

  /**
   * Whether memory may be reached by address. The JVM is to be started with {@code
   * --enable-native-access} for that.
   */
  public static boolean isOpen() {
    return ALL.byteSize() > 0;
  }

  /** How generated code accesses memory, and how to make that faster, for people. */
  public static String describe() {
    return isOpen()
        ? "unchecked native access (bounds proven once per loop)"
        : "checked access, which is slower; start the JVM with"
            + " --enable-native-access=ALL-UNNAMED (on the module path org.relaxvm.backendcpu) to"
            + " have unchecked access";
  }

  /** Whether nobody can close memory outside of the Java heap as long as it is referred to. */
  public static boolean lasts(MemorySegment segment) {
    return segment.isNative() && LASTING.contains(segment.scope().getClass());
  }

  /** Some memory, which is there. */
  public static MemorySegment at(long address, long bytes) {
    return ALL.asSlice(address & ADDRESSES, bytes & ADDRESSES);
  }

  /**
   * The address of what a loop reaches in a buffer.
   *
   * @param address of the buffer
   * @param bytes of the buffer
   * @param from the first byte that is reached
   * @param size how many bytes are reached
   * @return the address of the first byte, which the JIT compiler knows not to be negative
   */
  public static long reach(long address, long bytes, long from, long size) {
    if ((from | size) < 0 || from > bytes - size) {
      throw outside(bytes, from, size);
    }
    return (address + from) & ADDRESSES;
  }

  private static IndexOutOfBoundsException outside(long bytes, long from, long size) {
    return new IndexOutOfBoundsException(
        size + " bytes from byte " + from + " on are not in a buffer of " + bytes + " bytes");
  }

  /** An address that {@link #reach} gave, or one after it: again known not to be negative. */
  public static long known(long address) {
    return address & ADDRESSES;
  }

  /**
   * Whether both may be reached by address, one of them to be written, as long as they are referred
   * to.
   */
  public static boolean holds(MemorySegment from, MemorySegment to) {
    return isOpen() && lasts(from) && lasts(to) && !to.isReadOnly();
  }
}
