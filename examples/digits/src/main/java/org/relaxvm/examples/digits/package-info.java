/**
 * A digit classifier from nothing to a program for the virtual machine. {@link
 * org.relaxvm.examples.digits.FirstProgram} runs it; {@link
 * org.relaxvm.examples.digits.DigitsProgram} shows how a program is built instruction by
 * instruction.
 */
@NullMarked
package org.relaxvm.examples.digits;

import org.jspecify.annotations.NullMarked;
