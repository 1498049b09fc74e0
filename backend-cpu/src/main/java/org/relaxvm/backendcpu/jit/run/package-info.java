/**
 * Runs kernels whose loops are machine code: the outer structure of a kernel is steps in Java,
 * which call fragments of code.
 *
 * <p>Rationale: docs/rationale/backend-cpu.md, "Why is the outer structure of a kernel not machine
 * code?"
 */
@NullMarked
package org.relaxvm.backendcpu.jit.run;

import org.jspecify.annotations.NullMarked;
