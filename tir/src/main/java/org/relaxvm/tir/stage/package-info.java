/**
 * Stages of kernels: what a block in its loops works on, and steps that schedules of all devices
 * take.
 */
@NullMarked
package org.relaxvm.tir.stage;

import org.jspecify.annotations.NullMarked;
