/** Instructions of released executables of the Relay VM to calls of Relax bytecode. */
@NullMarked
package org.relaxvm.interoprelay.translate.release;

import org.jspecify.annotations.NullMarked;
