/** The rules that a Relay program follows, and what they tell about it. */
@NullMarked
package org.relaxvm.interoprelay.proposal.verify;

import org.jspecify.annotations.NullMarked;
