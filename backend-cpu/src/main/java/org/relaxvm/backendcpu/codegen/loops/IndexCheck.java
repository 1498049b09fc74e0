package org.relaxvm.backendcpu.codegen.loops;

import org.relaxvm.tir.expr.PrimExpr;

/**
 * An index that may be outside of its axis.
 *
 * @param what of messages: the buffer, the axis, whether it is read or written
 */
public record IndexCheck(String what, PrimExpr index, PrimExpr extent) {}
