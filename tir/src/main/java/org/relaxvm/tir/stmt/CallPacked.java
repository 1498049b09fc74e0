package org.relaxvm.tir.stmt;

import java.util.List;

/** Calls a function of the host by name. It may read and write the buffers that it is given. */
public record CallPacked(String name, List<PackedArg> args) implements Stmt {
  /** Copies the list. */
  public CallPacked {
    args = List.copyOf(args);
  }
}
