/** Operators on elements of less than 8 bits, and on numbers that are stored as codes. */
@NullMarked
package org.relaxvm.compiler.op.lowbit;

import org.jspecify.annotations.NullMarked;
