/** The rules that released executables of the Relay VM must obey to be run or translated. */
@NullMarked
package org.relaxvm.interoprelay.release.verify;

import org.jspecify.annotations.NullMarked;
