package org.relaxvm.interoprelay.flow;

/**
 * What a Phi becomes on one edge into its join.
 *
 * @param predecessor the block at whose end the edge begins; {@link ControlFlow#NONE} for the edge
 *     by which control enters the function, if it can also jump to the first instruction
 * @param second whether the second operand is taken, not the first
 * @param both whether both operands are defined on the edge, as on the back edge of a loop; the one
 *     defined later is taken
 */
public record PhiEdge(int predecessor, boolean second, boolean both) {}
