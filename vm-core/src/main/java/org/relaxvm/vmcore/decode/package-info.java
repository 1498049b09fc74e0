/**
 * Programs in the form that is executed: the instructions of all functions in one array, every
 * operand resolved to a register or to a constant.
 */
@NullMarked
package org.relaxvm.vmcore.decode;

import org.jspecify.annotations.NullMarked;
