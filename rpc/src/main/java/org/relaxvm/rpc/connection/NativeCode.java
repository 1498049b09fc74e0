package org.relaxvm.rpc.connection;

/** What a server does with native code of clients: libraries, and machine code of GPUs. */
public enum NativeCode {
  /** Refuses it. */
  REFUSE,
  /** Runs it in the process of the server, which it can end. */
  IN_PROCESS,
  /**
   * Runs each session in a process of its own, which native code can end without harm to others.
   * Functions of {@link ServerOptions#functions} cannot be offered then.
   */
  IN_CHILD_PROCESS
}
