package org.relaxvm.backendcpu.host;

/** What generated classes of host functions extend. Stateless and thread-safe. */
public abstract class HostBody {
  /** For generated classes. */
  protected HostBody() {}

  /** Executes the function. */
  public abstract void run(HostRun run);
}
