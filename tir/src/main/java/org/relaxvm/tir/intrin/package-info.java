/**
 * Operations of devices on whole tiles, such as tensor cores have: {@link
 * org.relaxvm.tir.intrin.TensorIntrinsic} is where to start reading.
 */
@NullMarked
package org.relaxvm.tir.intrin;

import org.jspecify.annotations.NullMarked;
