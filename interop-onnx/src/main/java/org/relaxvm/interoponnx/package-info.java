/** Models in ONNX form: read, checked, translated to Relax IR, compiled. */
@NullMarked
package org.relaxvm.interoponnx;

import org.jspecify.annotations.NullMarked;
