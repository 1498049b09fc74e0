/**
 * Case folders: a program with inputs and expected results or errors, and how they are compared.
 */
@NullMarked
package org.relaxvm.cli.check;

import org.jspecify.annotations.NullMarked;
