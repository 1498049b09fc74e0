/** Tests of index maps. */
@NullMarked
package org.relaxvm.tir.op.layout;

import org.jspecify.annotations.NullMarked;
