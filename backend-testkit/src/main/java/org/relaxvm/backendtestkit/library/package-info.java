/** Random and extreme arguments of the functions of the kernel library. */
@NullMarked
package org.relaxvm.backendtestkit.library;

import org.jspecify.annotations.NullMarked;
