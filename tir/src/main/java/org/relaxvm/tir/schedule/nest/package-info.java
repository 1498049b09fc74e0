/**
 * What all primitives need to know of a kernel: where a statement is, what replaces it, and whether
 * iterations of loops and blocks depend on each other. Internal to schedules.
 */
@NullMarked
package org.relaxvm.tir.schedule.nest;

import org.jspecify.annotations.NullMarked;
