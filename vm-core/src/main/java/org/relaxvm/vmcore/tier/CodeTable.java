package org.relaxvm.vmcore.tier;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.relaxvm.vmcore.decode.DecodedFunction;
import org.relaxvm.vmcore.decode.DecodedProgram;
import org.relaxvm.vmcore.tier.FunctionCompiler.Compiled;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The compiled code of a program, and which functions are compiled when. Thread-safe: entries are
 * added while calls run, which see them sooner or later.
 */
public final class CodeTable {
  private static final Logger LOG = LoggerFactory.getLogger(CodeTable.class);
  private static final int ASKED = -1;

  private final DecodedProgram program;
  private final TierPolicy policy;
  private final Predicate<DecodedFunction> staysInterpreted;
  private final AtomicIntegerArray heat;
  private final AtomicBoolean isCompiling = new AtomicBoolean();

  // Not volatile: who sees an older array, or an element too late, interprets.
  private @Nullable CompiledEntry @Nullable [] entries;

  /**
   * A table without code.
   *
   * @param staysInterpreted whether a function is not compiled for now
   */
  public CodeTable(
      DecodedProgram program, TierPolicy policy, Predicate<DecodedFunction> staysInterpreted) {
    this.program = program;
    this.policy = policy;
    this.staysInterpreted = staysInterpreted;
    this.heat = new AtomicIntegerArray(program.functions().length);
  }

  /** For each position, the compiled code that begins there; null while there is none at all. */
  public @Nullable CompiledEntry @Nullable [] entries() {
    return entries;
  }

  /** Counts a call of a function; compiles the function where that is due. */
  public void called(DecodedFunction function) {
    int index = function.index();
    int calls = heat.getPlain(index);
    if (calls != ASKED) {
      if (function.end() - function.entry() > policy.mostWords()) {
        heat.setPlain(index, ASKED);
      } else if (calls >= policy.calls()) {
        if (!staysInterpreted.test(function)) {
          compile(function, calls);
        }
      } else {
        heat.setPlain(index, calls + 1);
      }
    }
  }

  /**
   * Counts iterations of a loop as calls of its function.
   *
   * @param position of an instruction of the loop
   */
  public void looped(int position, int iterations) {
    DecodedFunction function = functionAt(position);
    int index = function.index();
    int calls = heat.getPlain(index);
    if (calls != ASKED) {
      heat.setPlain(index, calls + iterations);
      called(function);
    }
  }

  private DecodedFunction functionAt(int position) {
    for (DecodedFunction function : program.functions()) {
      if (function != null && function.entry() <= position && position < function.end()) {
        return function;
      }
    }
    throw new IllegalStateException("position " + position + " belongs to no function");
  }

  private void compile(DecodedFunction function, int calls) {
    if (!policy.inBackground()) {
      if (heat.compareAndSet(function.index(), calls, ASKED)) {
        compile(function);
      }
    } else if (isCompiling.compareAndSet(false, true)) {
      if (heat.compareAndSet(function.index(), calls, ASKED)) {
        Thread.ofPlatform()
            .daemon()
            .name("relaxvm-compiled-tier")
            .inheritInheritableThreadLocals(false)
            .start(
                () -> {
                  compile(function);
                  isCompiling.set(false);
                });
      } else {
        isCompiling.set(false);
      }
    }
  }

  /** The program runs without compiled code, too: what fails here is logged. */
  private void compile(DecodedFunction function) {
    try {
      install(FunctionCompiler.compile(program, function));
    } catch (RuntimeException | Error e) {
      LOG.warn(
          "function {} stays with the interpreter: its compilation failed", function.name(), e);
    }
  }

  private synchronized void install(List<Compiled> compiled) {
    @Nullable CompiledEntry[] table = entries;
    if (table == null) {
      table = new CompiledEntry[program.code().length];
    }
    for (Compiled one : compiled) {
      table[one.position()] = one.entry();
    }
    entries = table;
  }
}
