/** Tests of the operators of this package. */
@NullMarked
package org.relaxvm.compiler.op.index;

import org.jspecify.annotations.NullMarked;
