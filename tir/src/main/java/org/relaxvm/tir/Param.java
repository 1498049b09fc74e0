package org.relaxvm.tir;

import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Handle;
import org.relaxvm.tir.expr.Var;

/** A parameter of a kernel. */
public sealed interface Param {
  /** A tensor. An extent that is a variable defines it: its value comes from the tensor. */
  record OfBuffer(Buffer buffer) implements Param {}

  /** A scalar. */
  record OfScalar(Var var) implements Param {}

  /** An opaque pointer; a function that has one is a host function. */
  record OfHandle(Handle handle) implements Param {}

  /** The name. */
  default String name() {
    return switch (this) {
      case OfBuffer(Buffer buffer) -> buffer.name();
      case OfScalar(Var var) -> var.name();
      case OfHandle(Handle handle) -> handle.name();
    };
  }
}
