/** Operators of neural networks, each as a model of one node. */
@NullMarked
package org.relaxvm.interoponnx.operator.nn;

import org.jspecify.annotations.NullMarked;
