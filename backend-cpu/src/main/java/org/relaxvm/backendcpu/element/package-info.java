/**
 * Elements of tensors: {@link org.relaxvm.backendcpu.element.Codec} brings them from memory of any
 * dtype and stride into Java arrays of three kinds and back, {@link
 * org.relaxvm.backendcpu.element.Lanes} computes on such arrays, {@link
 * org.relaxvm.backendcpu.element.Sweep} walks over several tensors at once.
 */
@NullMarked
package org.relaxvm.backendcpu.element;

import org.jspecify.annotations.NullMarked;
