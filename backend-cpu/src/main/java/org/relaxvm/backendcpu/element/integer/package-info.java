/**
 * Functions of integers in arrays for which vectors have no instruction, in loops without branches
 * from which the JIT compiler makes vector code.
 */
@NullMarked
package org.relaxvm.backendcpu.element.integer;

import org.jspecify.annotations.NullMarked;
