/** Tests of kinds of kernels. */
@NullMarked
package org.relaxvm.tir.pattern;

import org.jspecify.annotations.NullMarked;
