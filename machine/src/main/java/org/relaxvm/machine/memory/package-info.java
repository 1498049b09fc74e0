/** Executable memory, which is never writable and executable at the same address. */
@NullMarked
package org.relaxvm.machine.memory;

import org.jspecify.annotations.NullMarked;
