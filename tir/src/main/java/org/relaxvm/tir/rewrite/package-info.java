/** Walks over expressions and statements: substitution, fresh copies, equality up to names. */
@NullMarked
package org.relaxvm.tir.rewrite;

import org.jspecify.annotations.NullMarked;
