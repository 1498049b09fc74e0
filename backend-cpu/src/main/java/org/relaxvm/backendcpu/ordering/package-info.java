/** Kernels that compare or add up elements along a line. */
@NullMarked
package org.relaxvm.backendcpu.ordering;

import org.jspecify.annotations.NullMarked;
