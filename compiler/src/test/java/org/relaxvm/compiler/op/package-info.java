/** Helpers to test operators: their rules about types, and what their kernels compute. */
@NullMarked
package org.relaxvm.compiler.op;

import org.jspecify.annotations.NullMarked;
