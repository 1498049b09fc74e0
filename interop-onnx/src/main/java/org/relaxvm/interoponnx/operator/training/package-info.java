/** Losses, dropout and the steps of optimizers. */
@NullMarked
package org.relaxvm.interoponnx.operator.training;

import org.jspecify.annotations.NullMarked;
