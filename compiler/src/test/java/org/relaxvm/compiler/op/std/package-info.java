/** Tests of the operators of this package. */
@NullMarked
package org.relaxvm.compiler.op.std;

import org.jspecify.annotations.NullMarked;
