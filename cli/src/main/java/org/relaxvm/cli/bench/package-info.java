/** Timing of a program's function. */
@NullMarked
package org.relaxvm.cli.bench;

import org.jspecify.annotations.NullMarked;
