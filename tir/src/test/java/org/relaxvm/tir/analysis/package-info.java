/** Tests of kinds of kernels. */
@NullMarked
package org.relaxvm.tir.analysis;

import org.jspecify.annotations.NullMarked;
