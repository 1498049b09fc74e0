/** Tests of the passes over whole programs. */
@NullMarked
package org.relaxvm.compiler.pass.simplify;

import org.jspecify.annotations.NullMarked;
