/** Register allocation of the low-level IR: which virtual registers share a machine register. */
@NullMarked
package org.relaxvm.backendcpu.jit.allocate;

import org.jspecify.annotations.NullMarked;
