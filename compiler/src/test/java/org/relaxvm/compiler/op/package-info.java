/** Tests of operators: helpers for their rules about types, and for what their kernels compute. */
@NullMarked
package org.relaxvm.compiler.op;

import org.jspecify.annotations.NullMarked;
