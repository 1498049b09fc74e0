/** Estimates of how much code statements become, for the limits of the JIT compiler. */
@NullMarked
package org.relaxvm.backendcpu.codegen.cost;

import org.jspecify.annotations.NullMarked;
