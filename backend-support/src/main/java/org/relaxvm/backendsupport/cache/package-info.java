/**
 * Compiled kernels on disk, so that a second start of a program compiles none. {@link
 * org.relaxvm.backendsupport.cache.KernelCache} is the entry; where it is and how large it may
 * become is in {@link org.relaxvm.backendsupport.cache.CacheSettings}.
 */
@NullMarked
package org.relaxvm.backendsupport.cache;

import org.jspecify.annotations.NullMarked;
