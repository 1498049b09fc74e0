/**
 * Planes of images, one channel each, on their way between memory and arrays: {@link
 * org.relaxvm.backendcpu.vector.plane.PlaneReader} and {@link
 * org.relaxvm.backendcpu.vector.plane.PlaneWriter} copy as much at once as lies together.
 */
@NullMarked
package org.relaxvm.backendcpu.vector.plane;

import org.jspecify.annotations.NullMarked;
