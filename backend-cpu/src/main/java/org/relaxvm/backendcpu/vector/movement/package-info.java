/** Moves of elements in vector code. Start at {@link VectorBlockMoves}. */
@NullMarked
package org.relaxvm.backendcpu.vector.movement;

import org.jspecify.annotations.NullMarked;
