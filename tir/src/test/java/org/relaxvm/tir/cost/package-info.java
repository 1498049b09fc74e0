/** Tests of the costs of kernels. */
@NullMarked
package org.relaxvm.tir.cost;

import org.jspecify.annotations.NullMarked;
