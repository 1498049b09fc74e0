/** Attention over blocks of keys, and the arithmetic on blocks that it needs. */
@NullMarked
package org.relaxvm.backendcpu.kernel.attention;

import org.jspecify.annotations.NullMarked;
