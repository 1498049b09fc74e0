/** Instructions of the Relay VM's proposal to calls, Phis to copies, closures to wrappers. */
@NullMarked
package org.relaxvm.interoprelay.translate.proposal;

import org.jspecify.annotations.NullMarked;
