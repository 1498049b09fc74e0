/**
 * Programs of CUDA: built, kept on disk, loaded, with kernels that can be launched. Start with
 * {@link org.relaxvm.backendcuda.program.CachedImages}.
 */
@NullMarked
package org.relaxvm.backendcuda.program;

import org.jspecify.annotations.NullMarked;
