/** Tests of the package of the same name. */
@NullMarked
package org.relaxvm.compiler.op;

import org.jspecify.annotations.NullMarked;
