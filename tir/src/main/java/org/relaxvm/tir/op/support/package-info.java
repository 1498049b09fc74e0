/** What the builders of operators share: checks, extents, arithmetic. Not for others. */
@NullMarked
package org.relaxvm.tir.op.support;

import org.jspecify.annotations.NullMarked;
