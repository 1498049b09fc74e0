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

/**
 * The functions of the host by the names that compiled code has for them, as native addresses. They
 * are made once and stay for the life of the process: compiled code may hold them.
 */
public final class HostFunctions {
  private static final MemoryLayout P = JAVA_LONG;
  private static final MemoryLayout I = JAVA_INT;
  private static final Map<String, Long> ADDRESSES =
      Map.ofEntries(
          stub("TVMFFIFunctionCall", "functionCall", of(I, P, P, I, P)),
          stub("TVMFFIErrorSetRaisedFromCStr", "errorSetRaised", ofVoid(P, P)),
          stub("TVMFFIErrorSetRaisedFromCStrParts", "errorSetRaisedFromParts", ofVoid(P, P, I)),
          stub("TVMFFIEnvModLookupFromImports", "lookUp", of(I, P, P, P)),
          stub("TVMFFIHandleInitOnce", "handleInitOnce", of(I, P, P)),
          stub("TVMBackendAllocWorkspace", "allocateWorkspace", of(P, I, I, P, I, I)),
          stub("TVMBackendFreeWorkspace", "freeWorkspace", of(I, I, I, P)),
          stub("TVMBackendParallelLaunch", "parallelLaunch", of(I, P, P, I)),
          stub("TVMBackendParallelBarrier", "parallelBarrier", of(I, I, P)),
          stub("TVMBackendAnyListSetPackedArg", "anyListSetPackedArg", of(I, P, I, P, I)),
          stub(
              "TVMBackendAnyListMoveFromPackedReturn",
              "anyListMoveFromPackedReturn",
              of(I, P, I, P, I)),
          stub("TVMBackendAnyListResetItem", "anyListResetItem", of(I, P, I)),
          stub("TVMFFIEnvModRegisterSystemLibSymbol", "registerSystemLibSymbol", of(I, P, P)));

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
      String name, String method, FunctionDescriptor signature) {
    try {
      MethodHandle handle =
          MethodHandles.lookup().findStatic(CallBacks.class, method, signature.toMethodType());
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
