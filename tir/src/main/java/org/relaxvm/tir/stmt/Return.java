package org.relaxvm.tir.stmt;

import org.relaxvm.tir.expr.PrimExpr;

/** Ends the function with a scalar result. */
public record Return(PrimExpr value) implements Stmt {}
