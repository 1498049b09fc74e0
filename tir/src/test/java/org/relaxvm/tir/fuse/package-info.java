/** Tests of kernels put together. */
@NullMarked
package org.relaxvm.tir.fuse;

import org.jspecify.annotations.NullMarked;
