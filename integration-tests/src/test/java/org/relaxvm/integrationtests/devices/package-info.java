/** What every device of this machine must do, and which devices a machine must have. */
@NullMarked
package org.relaxvm.integrationtests.devices;

import org.jspecify.annotations.NullMarked;
