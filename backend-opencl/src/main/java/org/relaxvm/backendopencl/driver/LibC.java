package org.relaxvm.backendopencl.driver;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/** The functions of the C library of Linux that {@link SignalGuard} needs. Stateless. */
final class LibC {
  private static final int PROT_READ_WRITE = 3;
  private static final int PROT_READ_EXECUTE = 5;
  private static final int MAP_PRIVATE_ANONYMOUS = 0x22;

  private static final MethodHandle SIGACTION =
      handle("sigaction", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS));
  private static final MethodHandle MMAP =
      handle(
          "mmap",
          FunctionDescriptor.of(
              JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
  private static final MethodHandle MPROTECT =
      handle("mprotect", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));

  private LibC() {}

  /** What a signal does; empty for signals that have no action, such as {@code SIGKILL}. */
  static Optional<SignalAction> action(int signal) {
    MemorySegment structure =
        Arena.ofAuto().allocate(SignalAction.MAX_BYTE_SIZE, JAVA_LONG.byteAlignment());
    return sigaction(signal, MemorySegment.NULL, structure)
        ? Optional.of(new SignalAction(signal, structure))
        : Optional.empty();
  }

  /** Sets what a signal does. */
  static void setAction(SignalAction action) {
    if (!sigaction(action.signal(), action.structure(), MemorySegment.NULL)) {
      throw new IllegalStateException("sigaction refused signal " + action.signal());
    }
  }

  private static boolean sigaction(int signal, MemorySegment set, MemorySegment get) {
    try {
      return (int) SIGACTION.invokeExact(signal, set, get) == 0;
    } catch (Throwable e) {
      throw raised(e);
    }
  }

  /** The address of a copy of machine code, which is never released; empty where none may run. */
  static Optional<Long> executable(byte[] code) {
    try {
      long address =
          (long)
              MMAP.invokeExact(
                  0L, (long) code.length, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS, -1, 0L);
      if (address == -1) {
        return Optional.empty();
      }
      copy(code, address);
      return (int) MPROTECT.invokeExact(address, (long) code.length, PROT_READ_EXECUTE) == 0
          ? Optional.of(address)
          : Optional.empty();
    } catch (Throwable e) {
      throw raised(e);
    }
  }

  @SuppressWarnings("restricted") // memory that was mapped with this size
  private static void copy(byte[] code, long address) {
    MemorySegment.ofAddress(address).reinterpret(code.length).copyFrom(MemorySegment.ofArray(code));
  }

  @SuppressWarnings("restricted") // signatures of the C library
  private static MethodHandle handle(String name, FunctionDescriptor signature) {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), signature);
  }

  private static RuntimeException raised(Throwable e) {
    return switch (e) {
      case RuntimeException known -> known;
      case Error fatal -> throw fatal;
      default -> new IllegalStateException("a downcall raises nothing", e);
    };
  }
}
