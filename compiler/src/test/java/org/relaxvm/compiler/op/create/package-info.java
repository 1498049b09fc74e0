/** Tests of the operators of this package. */
@NullMarked
package org.relaxvm.compiler.op.create;

import org.jspecify.annotations.NullMarked;
