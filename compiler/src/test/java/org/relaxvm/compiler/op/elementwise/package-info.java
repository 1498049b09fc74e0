/** Tests of the operators of this package. */
@NullMarked
package org.relaxvm.compiler.op.elementwise;

import org.jspecify.annotations.NullMarked;
