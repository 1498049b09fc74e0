/** Kernels and scalars as objects of Apache TVM. */
@NullMarked
package org.relaxvm.compiler.objects.kernel;

import org.jspecify.annotations.NullMarked;
