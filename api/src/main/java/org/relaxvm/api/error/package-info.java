/**
 * Errors. {@link org.relaxvm.api.error.RelaxException} is the unchecked root; its subclasses name
 * the phase (malformed file, invalid program, link, call, backend, out of memory), its kind names
 * the nature as Apache TVM does.
 */
@NullMarked
package org.relaxvm.api.error;

import org.jspecify.annotations.NullMarked;
