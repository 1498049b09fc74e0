/**
 * Whole models compiled by RelaxVM beside ONNX Runtime, which is in the Maven profile {@code
 * peers}. Run {@link org.relaxvm.benchmarks.models.ModelComparison}. Each model is written once, in
 * {@link org.relaxvm.benchmarks.models.Layers}, which makes Relax IR of it and an ONNX graph.
 */
@NullMarked
package org.relaxvm.benchmarks.models;

import org.jspecify.annotations.NullMarked;
