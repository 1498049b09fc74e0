/**
 * Changes how a kernel runs without changing what it computes: {@link
 * org.relaxvm.tir.schedule.Schedule} has the primitives, each of which checks that it is legal.
 */
@NullMarked
package org.relaxvm.tir.schedule;

import org.jspecify.annotations.NullMarked;
