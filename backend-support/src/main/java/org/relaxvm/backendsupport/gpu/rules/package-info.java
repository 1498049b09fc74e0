/**
 * Schedules of kernels for devices with work-groups. Start at {@link
 * org.relaxvm.backendsupport.gpu.rules.GpuSchedule}.
 */
@NullMarked
package org.relaxvm.backendsupport.gpu.rules;

import org.jspecify.annotations.NullMarked;
