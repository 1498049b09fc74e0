/** Generators of machine code for GEMM: tiles, packing, GEMV; and what calls that code. */
@NullMarked
package org.relaxvm.backendcpu.micro;

import org.jspecify.annotations.NullMarked;
