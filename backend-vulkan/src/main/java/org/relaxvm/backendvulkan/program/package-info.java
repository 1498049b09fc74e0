/** Pipelines of Vulkan: {@link org.relaxvm.backendvulkan.program.VulkanKernel}. */
@NullMarked
package org.relaxvm.backendvulkan.program;

import org.jspecify.annotations.NullMarked;
