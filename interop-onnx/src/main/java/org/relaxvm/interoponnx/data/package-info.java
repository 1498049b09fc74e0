/** Elements of tensors: in the model, in its typed fields, and in files beside it. */
@NullMarked
package org.relaxvm.interoponnx.data;

import org.jspecify.annotations.NullMarked;
