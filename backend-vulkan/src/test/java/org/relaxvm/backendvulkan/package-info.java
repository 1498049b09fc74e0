/** Tests of the Vulkan backend. */
@NullMarked
package org.relaxvm.backendvulkan;

import org.jspecify.annotations.NullMarked;
