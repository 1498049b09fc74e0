/**
 * Largest elements and means of windows, in vector code. Start at {@link
 * org.relaxvm.backendcpu.vector.pool.VectorPools}.
 */
@NullMarked
package org.relaxvm.backendcpu.vector.pool;

import org.jspecify.annotations.NullMarked;
