/** A VM and devices for tests: just enough to call builtins without an engine. */
@NullMarked
package org.relaxvm.builtins.fakes;

import org.jspecify.annotations.NullMarked;
