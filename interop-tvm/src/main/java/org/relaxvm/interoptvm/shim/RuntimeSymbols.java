package org.relaxvm.interoptvm.shim;

import java.util.List;

/** The functions of the TVM runtime that exported libraries use by name. */
public final class RuntimeSymbols {
  /** Leaves an error whose message comes in parts. */
  public static final String ERROR_FROM_PARTS = "TVMFFIErrorSetRaisedFromCStrParts";

  /** Leaves an error. */
  public static final String ERROR = "TVMFFIErrorSetRaisedFromCStr";

  /** Calls a function by its handle. */
  public static final String CALL = "TVMFFIFunctionCall";

  /** Finds a function by name. */
  public static final String LOOKUP = "TVMFFIEnvModLookupFromImports";

  /** Fills a handle once; called before every call by name. */
  public static final String INIT_ONCE = "TVMFFIHandleInitOnce";

  /** Takes temporary memory. */
  public static final String ALLOC_WORKSPACE = "TVMBackendAllocWorkspace";

  /** Gives temporary memory back. */
  public static final String FREE_WORKSPACE = "TVMBackendFreeWorkspace";

  /** Runs a function on several threads. */
  public static final String PARALLEL_LAUNCH = "TVMBackendParallelLaunch";

  /** Lets these threads wait for each other. */
  public static final String PARALLEL_BARRIER = "TVMBackendParallelBarrier";

  /** Reads a register of a compiled function. */
  public static final String SET_PACKED_ARG = "TVMBackendAnyListSetPackedArg";

  /** Writes a register of a compiled function. */
  public static final String MOVE_FROM_RETURN = "TVMBackendAnyListMoveFromPackedReturn";

  /** Clears a register of a compiled function. */
  public static final String RESET_ITEM = "TVMBackendAnyListResetItem";

  /** Announces a function of a library when that is loaded. */
  public static final String REGISTER_SYSTEM_SYMBOL = "TVMFFIEnvModRegisterSystemLibSymbol";

  /** Leaves an error that is an object, as code in C++ does. */
  public static final String ERROR_OBJECT = "TVMFFIErrorSetRaised";

  /** Describes the calls that led to an error. */
  public static final String BACKTRACE = "TVMFFIBacktrace";

  /** Tells the name and the ancestors of a type. */
  public static final String TYPE_INFO = "TVMFFIGetTypeInfo";

  /** Calls a function by its handle, up to Apache TVM 0.20. */
  public static final String OLD_CALL = "TVMFuncCall";

  /** Leaves an error, up to Apache TVM 0.20. */
  public static final String OLD_ERROR = "TVMAPISetLastError";

  /** Finds a function by name, up to Apache TVM 0.20. */
  public static final String OLD_LOOKUP = "TVMBackendGetFuncFromEnv";

  /** Announces a function of a library, up to Apache TVM 0.20. */
  public static final String OLD_REGISTER_SYSTEM_SYMBOL = "TVMBackendRegisterSystemLibSymbol";

  /** All of them. */
  public static final List<String> ALL =
      List.of(
          ERROR_FROM_PARTS,
          ERROR,
          CALL,
          LOOKUP,
          INIT_ONCE,
          ALLOC_WORKSPACE,
          FREE_WORKSPACE,
          PARALLEL_LAUNCH,
          PARALLEL_BARRIER,
          SET_PACKED_ARG,
          MOVE_FROM_RETURN,
          RESET_ITEM,
          REGISTER_SYSTEM_SYMBOL,
          ERROR_OBJECT,
          BACKTRACE,
          TYPE_INFO,
          OLD_CALL,
          OLD_ERROR,
          OLD_LOOKUP,
          OLD_REGISTER_SYSTEM_SYMBOL);

  private RuntimeSymbols() {}
}
