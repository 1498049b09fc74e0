/**
 * What kernels do with the result of the function of the kernel library that they name. Start with
 * {@link org.relaxvm.tir.epilogue.Epilogue}.
 */
@NullMarked
package org.relaxvm.tir.epilogue;

import org.jspecify.annotations.NullMarked;
