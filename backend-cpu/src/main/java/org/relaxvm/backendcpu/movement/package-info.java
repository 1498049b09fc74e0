/**
 * Kernels that move elements without looking at them, or make them: copies, transposes, slices,
 * repetitions, margins. {@link org.relaxvm.backendcpu.movement.Moves} is what they share.
 */
@NullMarked
package org.relaxvm.backendcpu.movement;

import org.jspecify.annotations.NullMarked;
