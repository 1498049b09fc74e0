/**
 * What kernels look like to passes that put them together: {@link
 * org.relaxvm.tir.pattern.OpPatterns} says how outputs depend on inputs, {@link
 * org.relaxvm.tir.pattern.ReshapePattern} finds copies that only change the shape. Both look at
 * indices alone, never at names.
 */
@NullMarked
package org.relaxvm.tir.pattern;

import org.jspecify.annotations.NullMarked;
