/**
 * Functions of scalars as low-level IR: lanes of any number, written once for all widths. Results
 * do not depend on the number of lanes.
 *
 * <p>Rationale: docs/rationale/backend-cpu.md, "How are functions of floats written as low-level
 * IR?"
 */
@NullMarked
package org.relaxvm.backendcpu.jit.functions;

import org.jspecify.annotations.NullMarked;
