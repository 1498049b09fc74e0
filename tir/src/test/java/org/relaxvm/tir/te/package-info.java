/** Tests of tensor expressions. */
@NullMarked
package org.relaxvm.tir.te;

import org.jspecify.annotations.NullMarked;
