/** Tests of the operators of this package. */
@NullMarked
package org.relaxvm.compiler.dsl;

import org.jspecify.annotations.NullMarked;
