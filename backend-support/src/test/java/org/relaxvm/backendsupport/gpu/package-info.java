/** Schedules for GPUs compute what the kernels do that they are made of. */
@NullMarked
package org.relaxvm.backendsupport.gpu;

import org.jspecify.annotations.NullMarked;
