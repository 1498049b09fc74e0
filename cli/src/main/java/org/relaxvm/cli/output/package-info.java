/** What the commands print: text, tables, bars, progress and JSON. */
@NullMarked
package org.relaxvm.cli.output;

import org.jspecify.annotations.NullMarked;
