/**
 * The contract between the virtual machine, its builtins and the values: argument views that move
 * over registers, direct calls, and marks of functions that an engine executes itself. Exported to
 * those modules only; a backend does not need it.
 */
@NullMarked
package org.relaxvm.api.engine;

import org.jspecify.annotations.NullMarked;
