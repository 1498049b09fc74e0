/**
 * Kernels in vector code. Everything here but {@link org.relaxvm.backendcpu.vector.VectorChoice}
 * needs the module {@code jdk.incubator.vector} and is only touched once the choice fell on it.
 */
@NullMarked
package org.relaxvm.backendcpu.vector;

import org.jspecify.annotations.NullMarked;
