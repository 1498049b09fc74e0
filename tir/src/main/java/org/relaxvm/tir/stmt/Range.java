package org.relaxvm.tir.stmt;

import org.relaxvm.tir.expr.PrimExpr;

/** The integers {@code min} to {@code min + extent - 1}. */
public record Range(PrimExpr min, PrimExpr extent) {}
