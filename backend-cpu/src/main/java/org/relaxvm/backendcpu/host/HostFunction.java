package org.relaxvm.backendcpu.host;

import org.jspecify.annotations.Nullable;
import org.relaxvm.api.CallArgs;
import org.relaxvm.api.CallResult;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.TypeKeys;
import org.relaxvm.api.engine.AnyList;
import org.relaxvm.api.engine.ProgramCalls;
import org.relaxvm.api.engine.ProgramContext;
import org.relaxvm.api.error.CallException;
import org.relaxvm.api.error.ErrorKind;
import org.relaxvm.api.error.RelaxException;
import org.relaxvm.api.spi.Preparable;
import org.relaxvm.tir.PrimFunc;

/**
 * The body of a compiled function: {@code (context, registers, constants, functions)}. Its class is
 * generated at its first call. Thread-safe.
 *
 * <p>Source: docs/spec/vm-codegen.md, section 5.1.
 */
public final class HostFunction implements PackedFunc, Preparable {
  private static final int PARAMETERS = 4;

  private final PrimFunc function;
  private final HostCalls host;
  private volatile @Nullable HostBody body;
  private volatile @Nullable Bound bound;

  /**
   * A host function, which is valid.
   *
   * @throws org.relaxvm.api.error.InvalidProgramException when it does not keep the ABI of compiled
   *     functions
   */
  public HostFunction(PrimFunc function) {
    this.function = function;
    this.host = new HostCalls(function);
  }

  @Override
  public void call(CallArgs args, CallResult result) {
    args.requireCount(function.name(), PARAMETERS);
    if (!(args.ref(0) instanceof ProgramContext context)) {
      throw new CallException(
          ErrorKind.VALUE,
          function.name()
              + " is the body of a compiled function, which only its virtual machine"
              + " can call");
    }
    ProgramCalls calls = context.calls();
    Bound here = bound(calls, list(args, 2), list(args, 3));
    HostRun run = new HostRun(here, context, calls, list(args, 1));
    try {
      body().run(run);
    } catch (RuntimeException e) {
      run.abandon();
      throw located(e, run.current());
    } catch (Error e) {
      run.abandon();
      throw e;
    }
  }

  private AnyList list(CallArgs args, int index) {
    if (args.ref(index) instanceof AnyList list) {
      return list;
    }
    throw new CallException(
        ErrorKind.TYPE,
        function.name()
            + ": expected a list of values as argument #"
            + index
            + ", but got "
            + TypeKeys.describe(args.at(index)));
  }

  private Bound bound(ProgramCalls calls, AnyList constants, AnyList functions) {
    Bound known = bound;
    if (known == null || !known.isOf(functions)) {
      known = Bound.of(host, calls, constants, functions);
      bound = known;
    }
    return known;
  }

  private HostBody body() {
    HostBody known = body;
    if (known == null) {
      synchronized (this) {
        known = body;
        if (known == null) {
          known = HostClass.generate(function, host);
          body = known;
        }
      }
    }
    return known;
  }

  @Override
  public void prepare() {
    HostBody unused = body();
  }

  private RelaxException located(RuntimeException error, int call) {
    boolean isCall = call != HostRun.NO_CALL;
    RelaxException located =
        error instanceof RelaxException relax
            ? relax
            : new CallException(
                isCall ? ErrorKind.RUNTIME : ErrorKind.INTERNAL,
                (isCall ? host.calls().get(call).name() : "the host function")
                    + " failed: "
                    + error,
                error);
    // Beyond those that a message shows they are only counted.
    boolean isShown = located.locations().size() < RelaxException.MAX_LOCATIONS;
    String where = isCall ? host.shown(call) : "between two iterations";
    located.addLocation(isShown ? "function " + host.name() + ", " + where : "");
    return located;
  }
}
