package org.relaxvm.backendopencl.driver;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * What a signal does in this process: a {@code struct sigaction} of 64-bit Linux.
 *
 * @param signal number of the signal
 * @param structure address of the handler, mask of 128 bytes, flags, and a part for the C library
 */
record SignalAction(int signal, MemorySegment structure) {
  /** Division of integers by zero, among others. */
  static final int SIGFPE = 8;

  /** All that are not for real time: 1 to this. */
  static final int LAST_SIGNAL = 31;

  /** More than the structure has. */
  static final long MAX_BYTE_SIZE = 256;

  private static final long FLAGS_OFFSET = 136;
  private static final int SA_SIGINFO = 4;
  private static final int SA_RESETHAND = 0x80000000;

  /** Instead of a handler: {@code SIG_DFL} is 0, {@code SIG_IGN} is 1. */
  private static final long IGNORED = 1;

  /** The address of the handler. */
  long handler() {
    return structure.get(JAVA_LONG, 0);
  }

  /** Whether a function handles the signal. */
  boolean hasHandler() {
    return Long.compareUnsigned(handler(), IGNORED) > 0;
  }

  /** Whether the handler is called once, and is the default one from then on. */
  boolean isOneShot() {
    return (flags() & SA_RESETHAND) != 0;
  }

  /** Whether the handler has three parameters: signal, cause and registers. */
  boolean takesContext() {
    return (flags() & SA_SIGINFO) != 0;
  }

  private int flags() {
    return structure.get(JAVA_INT, FLAGS_OFFSET);
  }

  /** The same with another handler. */
  SignalAction withHandler(long address) {
    MemorySegment copy =
        Arena.ofAuto().allocate(MAX_BYTE_SIZE, JAVA_LONG.byteAlignment()).copyFrom(structure);
    copy.set(JAVA_LONG, 0, address);
    return new SignalAction(signal, copy);
  }
}
