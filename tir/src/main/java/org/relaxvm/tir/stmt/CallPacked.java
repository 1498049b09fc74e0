package org.relaxvm.tir.stmt;

import java.util.List;
import java.util.Optional;

/**
 * Calls a function of the host by name. It may read and write the buffers that it is given. Its
 * result is dropped, or goes into a cell of a list, which only host functions have; {@link LetCall}
 * uses it as a number.
 */
public record CallPacked(
    String name, List<PackedArg> args, CallLinkage linkage, Optional<AnyListItem> result)
    implements Stmt {
  /** Copies the list. */
  public CallPacked {
    args = List.copyOf(args);
  }

  /** A call whose result is dropped. */
  public CallPacked(String name, List<PackedArg> args) {
    this(name, args, CallLinkage.PACKED, Optional.empty());
  }

  /** The same call of another function. */
  public CallPacked withName(String newName) {
    return new CallPacked(newName, args, linkage, result);
  }

  /** The same call with other arguments. */
  public CallPacked withArgs(List<PackedArg> newArgs) {
    return new CallPacked(name, newArgs, linkage, result);
  }
}
