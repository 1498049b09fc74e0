/** Functions of many numbers in vector code. Start at {@link VectorFloatLanes}. */
@NullMarked
package org.relaxvm.backendcpu.vector.math;

import org.jspecify.annotations.NullMarked;
