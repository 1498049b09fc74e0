/**
 * Analyses of kernels that change nothing: what a block reads and writes ({@link
 * org.relaxvm.tir.analysis.AccessRegions}), the loops around it ({@link
 * org.relaxvm.tir.analysis.Nest}), how outputs depend on inputs ({@link
 * org.relaxvm.tir.analysis.OpPatterns}), and whether a loop nest matches an operation of the device
 * on whole tiles ({@link org.relaxvm.tir.analysis.TensorIntrinsic}). None looks at names.
 */
@NullMarked
package org.relaxvm.tir.analysis;

import org.jspecify.annotations.NullMarked;
