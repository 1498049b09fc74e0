package org.relaxvm.tir.stmt;

import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.Handle;
import org.relaxvm.tir.expr.PrimExpr;

/** An argument of {@link CallPacked}. The last three are arguments in host functions only. */
public sealed interface PackedArg {
  /** All of a buffer, as a tensor. */
  record OfBuffer(Buffer buffer) implements PackedArg {}

  /** An integer, boolean or float. */
  record OfScalar(PrimExpr value) implements PackedArg {}

  /** A string. */
  record OfText(String value) implements PackedArg {}

  /** What a handle refers to. */
  record OfHandle(Handle handle) implements PackedArg {}

  /** The value in a cell of a list. */
  record OfItem(AnyListItem item) implements PackedArg {}

  /** No value. */
  record OfNull() implements PackedArg {}
}
