/**
 * Operators that go along axes: reductions, scans, and elements in order. Each family class has the
 * definitions and, for people, functions that make calls.
 *
 * <p>Source: docs/spec/op-set.md, section 2.6.
 */
@NullMarked
package org.relaxvm.compiler.op.reduce;

import org.jspecify.annotations.NullMarked;
