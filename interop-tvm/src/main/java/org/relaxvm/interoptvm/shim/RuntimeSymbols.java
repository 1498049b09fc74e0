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

  /** Announces a function of a library that is linked into the program. */
  public static final String REGISTER_SYSTEM_SYMBOL = "TVMFFIEnvModRegisterSystemLibSymbol";

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
          REGISTER_SYSTEM_SYMBOL);

  private RuntimeSymbols() {}
}
