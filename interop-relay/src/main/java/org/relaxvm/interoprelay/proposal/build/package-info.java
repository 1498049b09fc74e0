/** Building Relay programs in Java. */
@NullMarked
package org.relaxvm.interoprelay.proposal.build;

import org.jspecify.annotations.NullMarked;
