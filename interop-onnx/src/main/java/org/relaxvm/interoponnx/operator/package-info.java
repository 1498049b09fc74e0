/** The operators of ONNX, by family. Source: docs/spec/onnx-import.md, sections 6 and 7. */
@NullMarked
package org.relaxvm.interoponnx.operator;

import org.jspecify.annotations.NullMarked;
