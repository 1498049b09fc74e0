/** Tests of operators of neural networks. */
@NullMarked
package org.relaxvm.tir.op.nn;

import org.jspecify.annotations.NullMarked;
