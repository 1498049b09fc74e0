/** Programs of the thirteen instructions of the Relay VM's proposal, as data. */
@NullMarked
package org.relaxvm.interoprelay.proposal;

import org.jspecify.annotations.NullMarked;
