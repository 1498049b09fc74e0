<<<<<<< HEAD
/** Tests of the package of the same name. */
=======
/** Helpers to test operators: their rules about types, and what their kernels compute. */
>>>>>>> opsa
@NullMarked
package org.relaxvm.compiler.op;

import org.jspecify.annotations.NullMarked;
