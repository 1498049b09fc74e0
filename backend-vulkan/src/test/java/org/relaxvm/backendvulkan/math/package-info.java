/** Tests of functions of floats on devices of Vulkan. */
@NullMarked
package org.relaxvm.backendvulkan.math;

import org.jspecify.annotations.NullMarked;
