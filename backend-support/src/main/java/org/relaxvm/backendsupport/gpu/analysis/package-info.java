/**
 * Analyses kernels for GPU schedules: their stages, which loops are independent, and how
 * work-groups and work-items divide loops.
 */
@NullMarked
package org.relaxvm.backendsupport.gpu.analysis;

import org.jspecify.annotations.NullMarked;
