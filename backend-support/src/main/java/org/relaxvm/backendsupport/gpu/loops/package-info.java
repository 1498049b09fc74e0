/** How loops over groups and work-items are made. */
@NullMarked
package org.relaxvm.backendsupport.gpu.loops;

import org.jspecify.annotations.NullMarked;
