/** What a piece of a kernel reads and writes. */
@NullMarked
package org.relaxvm.tir.region;

import org.jspecify.annotations.NullMarked;
