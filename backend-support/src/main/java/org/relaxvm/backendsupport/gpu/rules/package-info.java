/**
 * Schedules of kernels for devices with groups of work-items. Start at {@link
 * org.relaxvm.backendsupport.gpu.rules.GpuSchedule}.
 */
@NullMarked
package org.relaxvm.backendsupport.gpu.rules;

import org.jspecify.annotations.NullMarked;
