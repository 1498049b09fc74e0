/** Runs Relay programs instruction by instruction, on host tensors; slow and simple. */
@NullMarked
package org.relaxvm.interoprelay.proposal.interp;

import org.jspecify.annotations.NullMarked;
