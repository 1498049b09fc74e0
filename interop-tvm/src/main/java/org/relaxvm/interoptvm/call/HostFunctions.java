package org.relaxvm.interoptvm.call;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.List;
import java.util.Map;
import org.relaxvm.interoptvm.shim.RuntimeSymbols;

/**
 * The functions of the host by the names that compiled code has for them, as native addresses. They
 * are made once and stay for the life of the process: compiled code may hold them.
 */
public final class HostFunctions {
  private static final MemoryLayout P = JAVA_LONG;
  private static final MemoryLayout I = JAVA_INT;
  private static final Map<String, Long> ADDRESSES =
      Map.ofEntries(
          stub(RuntimeSymbols.CALL, CallBacks.class, "functionCall", of(I, P, P, I, P)),
          stub(RuntimeSymbols.ERROR, CallBacks.class, "errorSetRaised", ofVoid(P, P)),
          stub(
              RuntimeSymbols.ERROR_FROM_PARTS,
              CallBacks.class,
              "errorSetRaisedFromParts",
              ofVoid(P, P, I)),
          stub(RuntimeSymbols.LOOKUP, CallBacks.class, "lookUp", of(I, P, P, P)),
          stub(RuntimeSymbols.INIT_ONCE, CallBacks.class, "handleInitOnce", of(I, P, P)),
          stub(
              RuntimeSymbols.ALLOC_WORKSPACE,
              CallBacks.class,
              "allocateWorkspace",
              of(P, I, I, P, I, I)),
          stub(RuntimeSymbols.FREE_WORKSPACE, CallBacks.class, "freeWorkspace", of(I, I, I, P)),
          stub(RuntimeSymbols.PARALLEL_LAUNCH, CallBacks.class, "parallelLaunch", of(I, P, P, I)),
          stub(RuntimeSymbols.PARALLEL_BARRIER, CallBacks.class, "parallelBarrier", of(I, I, P)),
          stub(
              RuntimeSymbols.SET_PACKED_ARG,
              CallBacks.class,
              "anyListSetPackedArg",
              of(I, P, I, P, I)),
          stub(
              RuntimeSymbols.MOVE_FROM_RETURN,
              CallBacks.class,
              "anyListMoveFromPackedReturn",
              of(I, P, I, P, I)),
          stub(RuntimeSymbols.RESET_ITEM, CallBacks.class, "anyListResetItem", of(I, P, I)),
          stub(
              RuntimeSymbols.REGISTER_SYSTEM_SYMBOL,
              CallBacks.class,
              "registerSystemLibSymbol",
              of(I, P, P)),
          stub(
              RuntimeSymbols.OLD_REGISTER_SYSTEM_SYMBOL,
              CallBacks.class,
              "registerSystemLibSymbol",
              of(I, P, P)),
          stub(RuntimeSymbols.ERROR_OBJECT, CppCallBacks.class, "errorSetRaised", ofVoid(P)),
          stub(RuntimeSymbols.BACKTRACE, CppCallBacks.class, "backtrace", of(P, P, I, P, I)),
          stub(RuntimeSymbols.TYPE_INFO, CppCallBacks.class, "typeInfo", of(P, I)),
          stub(
              RuntimeSymbols.OLD_CALL, OldCallBacks.class, "functionCall", of(I, P, P, P, I, P, P)),
          stub(RuntimeSymbols.OLD_ERROR, OldCallBacks.class, "errorSet", ofVoid(P)),
          stub(RuntimeSymbols.OLD_LOOKUP, CallBacks.class, "lookUp", of(I, P, P, P)));

  private HostFunctions() {}

  /** The names, in no order. */
  public static List<String> names() {
    return List.copyOf(ADDRESSES.keySet());
  }

  /** The address of a function. */
  public static long address(String name) {
    Long address = ADDRESSES.get(name);
    if (address == null) {
      throw new IllegalArgumentException("the host has no function " + name);
    }
    return address;
  }

  @SuppressWarnings("restricted") // methods of this package that let nothing out
  private static Map.Entry<String, Long> stub(
      String name, Class<?> holder, String method, FunctionDescriptor signature) {
    try {
      MethodHandle handle =
          MethodHandles.lookup().findStatic(holder, method, signature.toMethodType());
      return Map.entry(
          name, Linker.nativeLinker().upcallStub(handle, signature, Arena.global()).address());
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(method, e);
    }
  }

  private static FunctionDescriptor of(MemoryLayout result, MemoryLayout... arguments) {
    return FunctionDescriptor.of(result, arguments);
  }

  private static FunctionDescriptor ofVoid(MemoryLayout... arguments) {
    return FunctionDescriptor.ofVoid(arguments);
  }
}
