/** What a kernel is before it is arranged: its stages, and which of their loops are independent. */
@NullMarked
package org.relaxvm.backendsupport.gpu.stages;

import org.jspecify.annotations.NullMarked;
