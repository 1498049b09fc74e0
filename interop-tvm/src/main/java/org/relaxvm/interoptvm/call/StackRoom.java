package org.relaxvm.interoptvm.call;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.List;
import java.util.function.ToLongFunction;
import org.relaxvm.interoptvm.abi.Cell;
import org.relaxvm.interoptvm.abi.Downcall;
import org.relaxvm.interoptvm.abi.RawMemory;
import org.relaxvm.interoptvm.abi.TypeIndex;
import org.relaxvm.interoptvm.shim.ElfShim;

/**
 * Keeps compiled code away from the end of the stack. Where it calls back without room for Java,
 * the error arises above the first of our instructions, leaves the call-back, and ends the process.
 * So calls of compiled code ask for room for a call-back, and fail in Java without it.
 *
 * <p>Thread-safe. Where the system does not tell how large stacks are, nothing is checked.
 *
 * <p>Rationale: docs/rationale/interop-tvm.md, "Why do calls of compiled code check the native
 * stack?"
 */
public final class StackRoom {
  // What HotSpot keeps free at the end of a stack, in whole pages: three zones of its own, and the
  // room that each Java method finds below it.
  private static final List<Integer> ZONES = List.of(4 << 10, 8 << 10, 4 << 10, 80 << 10);

  /** For compiled code, and for the Java code between it and the functions that it calls. */
  private static final long OWN = 32 << 10;

  /** At least the size of {@code pthread_attr_t}. */
  private static final long ATTRIBUTES_BYTES = 256;

  private static final MethodHandle STACK_POINTER =
      handle(FunctionDescriptor.of(JAVA_LONG), Linker.Option.critical(false));
  private static final MethodHandle PAGE = handle(FunctionDescriptor.of(JAVA_INT));
  private static final MethodHandle SELF = handle(FunctionDescriptor.of(JAVA_LONG));
  private static final MethodHandle ATTRIBUTES =
      handle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
  private static final MethodHandle BOUNDS =
      handle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));
  private static final MethodHandle DESTROY = handle(FunctionDescriptor.ofVoid(JAVA_LONG));

  private static final MethodHandle CALL =
      handle(FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG));
  private static final MethodHandle CALL_WITHIN =
      handle(
          FunctionDescriptor.of(
              JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG));

  private final MemorySegment stackPointer;
  private final MemorySegment callWithin;
  private final MemorySegment self;
  private final MemorySegment attributes;
  private final MemorySegment bounds;
  private final MemorySegment destroy;
  private final long reserve;

  /**
   * Finds what it needs.
   *
   * @param stackPointer address of a function that gives the stack pointer, or 0
   * @param callWithin address of a function that calls another within bounds of the stack, or 0
   * @param symbols gives the addresses of functions of the C library, or 0
   */
  public StackRoom(long stackPointer, long callWithin, ToLongFunction<String> symbols) {
    self = found("pthread_self", symbols);
    attributes = found("pthread_getattr_np", symbols);
    bounds = found("pthread_attr_getstack", symbols);
    destroy = found("pthread_attr_destroy", symbols);
    MemorySegment page = found("getpagesize", symbols);
    boolean all =
        stackPointer != 0
            && callWithin != 0
            && List.of(self, attributes, bounds, destroy, page).stream()
                .noneMatch(StackRoom::isMissing);
    this.stackPointer = all ? MemorySegment.ofAddress(stackPointer) : MemorySegment.NULL;
    this.callWithin = all ? MemorySegment.ofAddress(callWithin) : MemorySegment.NULL;
    reserve = all ? reserve(pageBytes(page)) : 0;
  }

  private static MemorySegment found(String name, ToLongFunction<String> symbols) {
    return MemorySegment.ofAddress(symbols.applyAsLong(name));
  }

  private static boolean isMissing(MemorySegment function) {
    return function.address() == 0;
  }

  /**
   * Calls a function with room for a call-back: {@code function(0, cells, count, resultCell)}.
   *
   * @return what it returns
   * @throws StackOverflowError when there is no room; the function was not called
   */
  int call(NativeThread thread, MemorySegment function, long cells, int count, long resultCell) {
    try {
      if (isMissing(callWithin)) {
        return (int) CALL.invokeExact(function, 0L, cells, count, resultCell);
      }
      int code = callWithin(thread, function, cells, count, resultCell);
      if (code != ElfShim.REFUSED || Cell.type(resultCell) != ElfShim.REFUSED) {
        return code;
      }
      return callAgain(thread, function, cells, count, resultCell);
    } catch (Throwable e) {
      throw Downcall.raised(e);
    }
  }

  private int callAgain(
      NativeThread thread, MemorySegment function, long cells, int count, long resultCell)
      throws Throwable {
    // A virtual thread runs on the stack of another thread each time that it goes on.
    measure(thread);
    Cell.put(resultCell, TypeIndex.NONE, 0);
    int code = callWithin(thread, function, cells, count, resultCell);
    if (code == ElfShim.REFUSED && Cell.type(resultCell) == ElfShim.REFUSED) {
      throw noRoom();
    }
    return code;
  }

  private int callWithin(
      NativeThread thread, MemorySegment function, long cells, int count, long resultCell)
      throws Throwable {
    return (int)
        CALL_WITHIN.invokeExact(
            callWithin,
            function.address(),
            cells,
            count,
            resultCell,
            thread.stackFloor,
            thread.stackRoom);
  }

  /**
   * Checks that compiled code can call back.
   *
   * @throws StackOverflowError when there is no room for it
   */
  void require(NativeThread thread) {
    if (isMissing(stackPointer)) {
      return;
    }
    long now = pointer();
    if (isOutside(thread, now)) {
      measure(thread);
      if (isOutside(thread, now)) {
        throw noRoom();
      }
    }
  }

  private static boolean isOutside(NativeThread thread, long pointer) {
    return Long.compareUnsigned(pointer - thread.stackFloor, thread.stackRoom) >= 0;
  }

  private static StackOverflowError noRoom() {
    return new StackOverflowError("no room for compiled code that calls Java");
  }

  private long pointer() {
    try {
      return (long) STACK_POINTER.invokeExact(stackPointer);
    } catch (Throwable e) {
      throw Downcall.raised(e);
    }
  }

  private void measure(NativeThread thread) {
    try (Arena arena = Arena.ofConfined()) {
      long out = arena.allocate(ATTRIBUTES_BYTES + 16, 16).address();
      long attributesAddress = out + 16;
      int code =
          (int)
              ATTRIBUTES.invokeExact(attributes, (long) SELF.invokeExact(self), attributesAddress);
      // Where it is not told, there is room enough.
      thread.stackFloor = 0;
      thread.stackRoom = -1;
      if (code != 0) {
        return;
      }
      code = (int) BOUNDS.invokeExact(bounds, attributesAddress, out, out + 8);
      if (code == 0) {
        thread.stackFloor = RawMemory.getLong(out) + reserve;
        thread.stackRoom = Math.max(0, RawMemory.getLong(out + 8) - reserve);
      }
      DESTROY.invokeExact(destroy, attributesAddress);
    } catch (Throwable e) {
      throw Downcall.raised(e);
    }
  }

  private static int pageBytes(MemorySegment function) {
    try {
      return (int) PAGE.invokeExact(function);
    } catch (Throwable e) {
      throw Downcall.raised(e);
    }
  }

  private static long reserve(int page) {
    long sum = OWN;
    for (int zone : ZONES) {
      sum += (zone + page - 1L) / page * page;
    }
    return sum;
  }

  @SuppressWarnings("restricted") // functions of the C library and the shim, as they are documented
  private static MethodHandle handle(FunctionDescriptor signature, Linker.Option... options) {
    return Linker.nativeLinker().downcallHandle(signature, options);
  }
}
