/** The text of shaders, and what becomes of it. */
@NullMarked
package org.relaxvm.backendvulkan.kernels;

import org.jspecify.annotations.NullMarked;
