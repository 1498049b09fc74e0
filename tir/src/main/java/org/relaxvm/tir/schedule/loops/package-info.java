/**
 * The primitives that rearrange loops: they cut, fuse, merge and reorder them. Internal: {@link
 * org.relaxvm.tir.schedule.Schedule} calls them.
 */
@NullMarked
package org.relaxvm.tir.schedule.loops;

import org.jspecify.annotations.NullMarked;
