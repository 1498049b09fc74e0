/** Shaders that a device can run. */
@NullMarked
package org.relaxvm.backendvulkan.program;

import org.jspecify.annotations.NullMarked;
