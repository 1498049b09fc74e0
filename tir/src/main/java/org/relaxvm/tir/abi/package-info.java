/** What calls of kernels have in common on all devices: checks of arguments, values of extents. */
@NullMarked
package org.relaxvm.tir.abi;

import org.jspecify.annotations.NullMarked;
