package org.relaxvm.machine.memory;

/** The operating system refused executable memory. The message says which call, and why. */
public final class CodeMemoryException extends RuntimeException {
  private static final long serialVersionUID = 1;

  CodeMemoryException(String message) {
    super(message);
  }

  /** A failed call of the C library. */
  static CodeMemoryException ofCall(String call, long bytes, int errno) {
    String cause =
        switch (errno) {
          case 1, 13 -> "not permitted: a policy of the system forbids executable memory";
          case 12 -> "out of memory, or a limit of the process (ulimit -v, vm.max_map_count)";
          case 23, 24 -> "too many open files (ulimit -n)";
          case 38 -> "the kernel does not have this call";
          default -> "see errno";
        };
    return new CodeMemoryException(
        "no executable memory: %s of %d bytes failed with errno %d: %s"
            .formatted(call, bytes, errno, cause));
  }
}
