/** Kernels over images: resizing, sampling, regions and boxes. */
@NullMarked
package org.relaxvm.tir.op.image;

import org.jspecify.annotations.NullMarked;
