/**
 * Compiles programs in Relax IR for the virtual machine: {@link org.relaxvm.compiler.Compiler} is
 * where to start reading.
 */
@NullMarked
package org.relaxvm.compiler;

import org.jspecify.annotations.NullMarked;
