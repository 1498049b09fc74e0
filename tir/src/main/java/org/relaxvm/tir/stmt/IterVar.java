package org.relaxvm.tir.stmt;

import org.relaxvm.tir.expr.Var;

/**
 * An axis of a block.
 *
 * @param domain all values that it takes
 */
public record IterVar(Var var, Range domain, IterKind kind) {}
