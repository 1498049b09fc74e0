/**
 * Kernels of the CPU backend beside ONNX Runtime. Start at {@link
 * org.relaxvm.benchmarks.onnx.OnnxComparison}.
 *
 * <p>Compiled with the Maven profile {@code peers} only, since the peer is a download of 139 MB.
 */
@NullMarked
package org.relaxvm.benchmarks.onnx;

import org.jspecify.annotations.NullMarked;
