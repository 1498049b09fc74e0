/** The {@code relaxvm} command: {@link org.relaxvm.cli.Main} and how it ends. */
@NullMarked
package org.relaxvm.cli;

import org.jspecify.annotations.NullMarked;
