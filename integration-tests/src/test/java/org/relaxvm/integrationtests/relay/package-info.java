/** Programs of the Relay register VM, translated, on the devices of this machine. */
@NullMarked
package org.relaxvm.integrationtests.relay;

import org.jspecify.annotations.NullMarked;
