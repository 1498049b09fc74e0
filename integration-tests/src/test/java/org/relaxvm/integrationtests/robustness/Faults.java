package org.relaxvm.integrationtests.robustness;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.relaxvm.api.PackedFunc;
import org.relaxvm.api.engine.ClosureInvoker;
import org.relaxvm.api.engine.RegisterMove;
import org.relaxvm.api.spi.FunctionProvider;
import org.relaxvm.api.spi.Module;

/**
 * Lets the k-th operation fail: of all devices, streams and functions that were told to report
 * here. For one thread.
 */
final class Faults {
  private int done;
  private int failing = -1;
  private Supplier<? extends Throwable> failure = AssertionError::new;
  private @Nullable Throwable thrown;
  private String place = "nowhere";

  /** Counts from 0 again; the operation with the number fails, none for a negative one. */
  void arm(int operation, Supplier<? extends Throwable> newFailure) {
    done = 0;
    failing = operation;
    failure = newFailure;
    thrown = null;
    place = "nowhere";
  }

  /** Lets nothing fail from now on. */
  void disarm() {
    failing = -1;
  }

  /** The operations since the last {@link #arm}. */
  int done() {
    return done;
  }

  /** What was thrown since then. */
  @Nullable Throwable thrown() {
    return thrown;
  }

  /** Which operation threw it. */
  String place() {
    return place;
  }

  /** Reports an operation, which fails when it is its turn. */
  void step(String operation) {
    if (done++ == failing) {
      Throwable now = failure.get();
      thrown = now;
      place = operation;
      if (now instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) now;
    }
  }

  /** The function, which may fail before it does anything, or once it has set its result. */
  PackedFunc around(String name, PackedFunc function) {
    if (function instanceof RegisterMove) {
      return function; // moved by the interpreter, not called
    }
    PackedFunc reporting =
        (args, result) -> {
          step("before " + name);
          function.call(args, result);
          step("after " + name);
        };
    return function instanceof ClosureInvoker ? (ClosureInvoker) reporting::call : reporting;
  }

  Module around(Module library) {
    Map<String, PackedFunc> functions = new HashMap<>();
    for (String name : library.functionNames()) {
      functions.put(name, around(name, library.find(name).orElseThrow()));
    }
    return Module.of("faulty " + library.origin(), functions);
  }

  FunctionProvider around(FunctionProvider provider) {
    return new FunctionProvider() {
      @Override
      public int spiVersion() {
        return provider.spiVersion();
      }

      @Override
      public String name() {
        return provider.name();
      }

      @Override
      public Set<String> functionNames() {
        return provider.functionNames();
      }

      @Override
      public Optional<PackedFunc> find(String name) {
        return provider.find(name).map(function -> around(name, function));
      }
    };
  }

  @Override
  public String toString() {
    return Objects.toString(thrown) + " " + place;
  }
}
