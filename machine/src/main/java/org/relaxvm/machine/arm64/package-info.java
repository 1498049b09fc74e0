/** Assembler of AArch64: one table of instructions, which the encoder and the listing read. */
@NullMarked
package org.relaxvm.machine.arm64;

import org.jspecify.annotations.NullMarked;
