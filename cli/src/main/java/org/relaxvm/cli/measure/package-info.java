/** Measurements of this machine, in JVMs of their own. */
@NullMarked
package org.relaxvm.cli.measure;

import org.jspecify.annotations.NullMarked;
