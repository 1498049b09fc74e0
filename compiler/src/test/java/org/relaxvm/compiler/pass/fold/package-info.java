/** Tests of folding scales and shifts into weights. */
@NullMarked
package org.relaxvm.compiler.pass.fold;

import org.jspecify.annotations.NullMarked;
