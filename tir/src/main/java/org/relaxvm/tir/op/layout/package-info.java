/**
 * Elements brought to other places by an index map: {@link
 * org.relaxvm.tir.op.layout.LayoutOps#layoutTransform}.
 *
 * <p>Source: docs/spec/op-set.md, section 2.4.
 */
@NullMarked
package org.relaxvm.tir.op.layout;

import org.jspecify.annotations.NullMarked;
