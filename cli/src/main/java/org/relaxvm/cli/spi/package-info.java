/** The interface by which jars add commands; start reading at {@link CommandProvider}. */
@NullMarked
package org.relaxvm.cli.spi;

import org.jspecify.annotations.NullMarked;
