/**
 * Analyses of kernels, which change nothing. {@link org.relaxvm.tir.analysis.KernelAnalysis} is the
 * entry point: stages, independent loops, reductions, contractions, attention and epilogues. Others
 * tell which regions a block accesses ({@link org.relaxvm.tir.analysis.AccessRegions}), how outputs
 * depend on inputs ({@link org.relaxvm.tir.analysis.OpPatterns}), and whether a loop nest matches
 * an operation of the device on whole tiles ({@link org.relaxvm.tir.analysis.TensorIntrinsic}).
 */
@NullMarked
package org.relaxvm.tir.analysis;

import org.jspecify.annotations.NullMarked;
