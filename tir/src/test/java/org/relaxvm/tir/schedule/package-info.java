/** Tests of schedules. */
@NullMarked
package org.relaxvm.tir.schedule;

import org.jspecify.annotations.NullMarked;
