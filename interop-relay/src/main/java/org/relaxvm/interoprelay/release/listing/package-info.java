/** The listing that the Relay VM printed of its functions. */
@NullMarked
package org.relaxvm.interoprelay.release.listing;

import org.jspecify.annotations.NullMarked;
