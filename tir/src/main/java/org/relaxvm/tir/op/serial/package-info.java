/**
 * Operators whose steps depend on the steps before: recurrent layers, attention by a state,
 * elimination, ciphers. Their points, such as the sequences of a batch, are independent.
 */
@NullMarked
package org.relaxvm.tir.op.serial;

import org.jspecify.annotations.NullMarked;
