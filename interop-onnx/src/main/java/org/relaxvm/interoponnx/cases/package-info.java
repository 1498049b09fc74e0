/** Conformance cases of ONNX: a model with inputs and the results that are right. */
@NullMarked
package org.relaxvm.interoponnx.cases;

import org.jspecify.annotations.NullMarked;
