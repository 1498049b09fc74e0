package org.relaxvm.tir.stmt;

import org.relaxvm.tir.expr.Buffer;
import org.relaxvm.tir.expr.PrimExpr;

/** An argument of {@link CallPacked}. */
public sealed interface PackedArg {
  /** All of a buffer, as a tensor. */
  record OfBuffer(Buffer buffer) implements PackedArg {}

  /** An integer, boolean or float. */
  record OfScalar(PrimExpr value) implements PackedArg {}

  /** A string. */
  record OfText(String value) implements PackedArg {}
}
