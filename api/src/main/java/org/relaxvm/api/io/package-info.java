/**
 * Tensor files of NumPy: one tensor ({@link org.relaxvm.api.io.Npy}) or several by name ({@link
 * org.relaxvm.api.io.Npz}). Files are untrusted: sizes are checked against what is there before
 * anything is allocated.
 */
@NullMarked
package org.relaxvm.api.io;

import org.jspecify.annotations.NullMarked;
