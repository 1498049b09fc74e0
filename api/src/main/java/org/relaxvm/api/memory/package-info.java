/**
 * Allocators that work over any device: {@link org.relaxvm.api.memory.NaiveAllocator} and {@link
 * org.relaxvm.api.memory.PooledAllocator}.
 */
@NullMarked
package org.relaxvm.api.memory;

import org.jspecify.annotations.NullMarked;
