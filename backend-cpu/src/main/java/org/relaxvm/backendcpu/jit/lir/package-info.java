/**
 * The low-level IR of machine code: instructions on virtual registers, structured loops and
 * branches. What a processor has for an instruction is decided where code is emitted.
 *
 * <p>Rationale: docs/rationale/backend-cpu.md, "What is the low-level IR?"
 */
@NullMarked
package org.relaxvm.backendcpu.jit.lir;

import org.jspecify.annotations.NullMarked;
