/** Tests of operators. */
@NullMarked
package org.relaxvm.tir.op;

import org.jspecify.annotations.NullMarked;
