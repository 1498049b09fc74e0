/** What kernels keep of constants. */
@NullMarked
package org.relaxvm.backendcpu.constant;

import org.jspecify.annotations.NullMarked;
