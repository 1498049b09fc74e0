/**
 * The primitives that move, copy, factor or remove blocks. Internal: {@link
 * org.relaxvm.tir.schedule.Schedule} calls them.
 */
@NullMarked
package org.relaxvm.tir.schedule.blocks;

import org.jspecify.annotations.NullMarked;
