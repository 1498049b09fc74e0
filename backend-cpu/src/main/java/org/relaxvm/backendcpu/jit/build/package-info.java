/** From loops over flat memory to the low-level IR: lanes, unrolling, addresses, invariants. */
@NullMarked
package org.relaxvm.backendcpu.jit.build;

import org.jspecify.annotations.NullMarked;
