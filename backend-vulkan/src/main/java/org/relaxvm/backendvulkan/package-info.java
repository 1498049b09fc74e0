/** Devices of Vulkan: reached through the backend provider. */
@NullMarked
package org.relaxvm.backendvulkan;

import org.jspecify.annotations.NullMarked;
