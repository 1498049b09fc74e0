/**
 * Emission of the low-level IR as x86-64 machine code, for AVX2 or AVX-512.
 *
 * <p>Rationale: docs/rationale/backend-cpu.md, "How is x86-64 code emitted?"
 */
@NullMarked
package org.relaxvm.backendcpu.jit.x64;

import org.jspecify.annotations.NullMarked;
