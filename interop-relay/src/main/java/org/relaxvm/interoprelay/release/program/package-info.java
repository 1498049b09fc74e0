/** Released executables of the Relay VM as programs that RelaxVM runs. */
@NullMarked
package org.relaxvm.interoprelay.release.program;

import org.jspecify.annotations.NullMarked;
