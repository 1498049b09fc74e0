/**
 * The interfaces by which jars add commands ({@link CommandProvider}) and cases ({@link
 * CaseFormat}).
 */
@NullMarked
package org.relaxvm.cli.spi;

import org.jspecify.annotations.NullMarked;
