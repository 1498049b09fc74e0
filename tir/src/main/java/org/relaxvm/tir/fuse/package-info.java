/**
 * Several kernels as one: {@link org.relaxvm.tir.fuse.KernelFusion} puts calls of kernels in
 * sequence, with memory between them. Which calls to fuse is decided elsewhere.
 */
@NullMarked
package org.relaxvm.tir.fuse;

import org.jspecify.annotations.NullMarked;
