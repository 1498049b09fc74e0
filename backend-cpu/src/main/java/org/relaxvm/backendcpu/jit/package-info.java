/** Machine code for kernels: from loops over flat memory to instructions of this processor. */
@NullMarked
package org.relaxvm.backendcpu.jit;

import org.jspecify.annotations.NullMarked;
