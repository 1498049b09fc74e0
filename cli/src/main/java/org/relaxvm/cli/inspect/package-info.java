/** What {@code inspect} tells of a program. */
@NullMarked
package org.relaxvm.cli.inspect;

import org.jspecify.annotations.NullMarked;
