/** Sums, means, products and extremes over axes. */
@NullMarked
package org.relaxvm.backendcpu.reduction;

import org.jspecify.annotations.NullMarked;
