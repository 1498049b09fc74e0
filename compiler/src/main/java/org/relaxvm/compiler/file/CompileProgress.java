package org.relaxvm.compiler.file;

import org.relaxvm.compiler.CompileOptions;
import org.relaxvm.compiler.Compiler;
import org.relaxvm.compiler.ir.IRModule;
import org.relaxvm.compiler.pass.Pass;
import org.relaxvm.compiler.pass.PassObserver;
import org.relaxvm.vmcore.program.LoadProgress;

/** Tells a listener of the passes of one compilation. Not thread-safe. */
public final class CompileProgress implements PassObserver {
  private static final String WORK = "compiling";

  private final LoadProgress listener;
  private final int total;
  private int done;

  private CompileProgress(LoadProgress listener, int total) {
    this.listener = listener;
    this.total = total;
  }

  /** Options for one compilation, of whose passes the listener is told. */
  public static CompileOptions in(CompileOptions options, LoadProgress listener) {
    int total = Compiler.pipeline(options).names().size();
    return options.withObserver(new CompileProgress(listener, total));
  }

  @Override
  public void ran(Pass pass, IRModule before, IRModule after, long nanos) {
    listener.report(WORK, ++done, total);
  }
}
