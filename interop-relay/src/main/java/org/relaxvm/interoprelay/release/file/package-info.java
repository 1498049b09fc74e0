/** The binary file of executables of the Relay VM, in all its formats: read and written. */
@NullMarked
package org.relaxvm.interoprelay.release.file;

import org.jspecify.annotations.NullMarked;
