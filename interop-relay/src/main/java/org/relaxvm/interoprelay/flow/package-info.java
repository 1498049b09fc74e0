/**
 * Control flow of a function of either instruction set: basic blocks, dominators, and the edges on
 * which a Phi takes its operands.
 */
@NullMarked
package org.relaxvm.interoprelay.flow;

import org.jspecify.annotations.NullMarked;
