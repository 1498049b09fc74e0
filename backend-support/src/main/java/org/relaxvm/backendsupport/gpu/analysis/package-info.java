/** Analyses kernels before they are scheduled: their stages, and which loops are independent. */
@NullMarked
package org.relaxvm.backendsupport.gpu.analysis;

import org.jspecify.annotations.NullMarked;
