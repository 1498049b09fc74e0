/** Tests of operators. */
@NullMarked
package org.relaxvm.tir.op.nn;

import org.jspecify.annotations.NullMarked;
