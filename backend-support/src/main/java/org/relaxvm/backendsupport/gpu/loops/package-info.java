/**
 * Builds the loops of GPU kernels: grids of work-groups and work-items, bounds checks, and blocks
 * lowered to plain statements.
 */
@NullMarked
package org.relaxvm.backendsupport.gpu.loops;

import org.jspecify.annotations.NullMarked;
