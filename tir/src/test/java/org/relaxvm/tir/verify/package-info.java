/** Tests of the rules of kernels. */
@NullMarked
package org.relaxvm.tir.verify;

import org.jspecify.annotations.NullMarked;
