/** Tests of the operators of this package. */
@NullMarked
package org.relaxvm.compiler.op.shape;

import org.jspecify.annotations.NullMarked;
