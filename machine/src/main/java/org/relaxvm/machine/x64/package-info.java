/** Assembler of x86-64: one table of instructions, which the encoder and the listing read. */
@NullMarked
package org.relaxvm.machine.x64;

import org.jspecify.annotations.NullMarked;
