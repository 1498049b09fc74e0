/** One class a subcommand. */
@NullMarked
package org.relaxvm.cli.command;

import org.jspecify.annotations.NullMarked;
