/** Graphs that Apache TVM wrote, and what it says of them. */
@NullMarked
package org.relaxvm.objects.golden;

import org.jspecify.annotations.NullMarked;
