/** Tests of what looks at programs and copies them. */
@NullMarked
package org.relaxvm.compiler.rewrite;

import org.jspecify.annotations.NullMarked;
