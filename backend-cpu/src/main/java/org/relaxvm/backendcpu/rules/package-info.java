/**
 * Schedules kernels for the CPU: {@link org.relaxvm.backendcpu.rules.CpuSchedule} finds a rule for
 * each stage of a kernel. Rules arrange loops and leave notes; how wide vectors are and what runs
 * on which thread is for whoever makes code of the result.
 */
@NullMarked
package org.relaxvm.backendcpu.rules;

import org.jspecify.annotations.NullMarked;
