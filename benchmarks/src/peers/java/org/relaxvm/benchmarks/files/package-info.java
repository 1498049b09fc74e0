/** ONNX files in RelaxVM and in ONNX Runtime, each in a process of its own. */
@NullMarked
package org.relaxvm.benchmarks.files;

import org.jspecify.annotations.NullMarked;
