/** What the processor of this machine has. */
@NullMarked
package org.relaxvm.machine.cpu;

import org.jspecify.annotations.NullMarked;
