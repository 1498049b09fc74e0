/** Random Relay programs, for tests of everything that runs them. */
@NullMarked
package org.relaxvm.interoprelay.random;

import org.jspecify.annotations.NullMarked;
