/** Executables of the Relay VM as Apache TVM 0.6 to 0.19 saved them, as data. */
@NullMarked
package org.relaxvm.interoprelay.release;

import org.jspecify.annotations.NullMarked;
