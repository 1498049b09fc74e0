/** Statements: loops, blocks, stores. Immutable. {@link org.relaxvm.tir.stmt.Stmt} lists them. */
@NullMarked
package org.relaxvm.tir.stmt;

import org.jspecify.annotations.NullMarked;
