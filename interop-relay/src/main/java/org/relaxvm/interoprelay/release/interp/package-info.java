/** A direct interpreter of released executables of the Relay VM, on host tensors. */
@NullMarked
package org.relaxvm.interoprelay.release.interp;

import org.jspecify.annotations.NullMarked;
