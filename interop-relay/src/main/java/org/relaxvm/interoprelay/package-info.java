/** Loading programs of the Relay VM as programs of the virtual machine. */
@NullMarked
package org.relaxvm.interoprelay;

import org.jspecify.annotations.NullMarked;
