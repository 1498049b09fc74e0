/** Functions of blocks of elements, for generated code. */
@NullMarked
package org.relaxvm.backendcpu.vector.block;

import org.jspecify.annotations.NullMarked;
