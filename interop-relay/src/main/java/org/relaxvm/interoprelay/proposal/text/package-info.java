/** The text form of Relay programs: reading and printing. */
@NullMarked
package org.relaxvm.interoprelay.proposal.text;

import org.jspecify.annotations.NullMarked;
