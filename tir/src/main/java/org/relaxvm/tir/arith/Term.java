package org.relaxvm.tir.arith;

/**
 * A part of a {@link Polynomial}.
 *
 * @param coefficient not 0
 */
record Term(Monomial monomial, long coefficient) {}
