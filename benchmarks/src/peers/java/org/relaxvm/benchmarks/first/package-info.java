/**
 * The time until a model's first results in new processes, in RelaxVM and in ONNX Runtime. Run
 * {@link org.relaxvm.benchmarks.first.FirstCalls}.
 */
@NullMarked
package org.relaxvm.benchmarks.first;

import org.jspecify.annotations.NullMarked;
