/** Images in files as tensors. */
@NullMarked
package org.relaxvm.builtins.image;

import org.jspecify.annotations.NullMarked;
