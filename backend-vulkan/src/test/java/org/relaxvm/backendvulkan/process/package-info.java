/** Tests of the Vulkan backend in JVMs of their own. */
@NullMarked
package org.relaxvm.backendvulkan.process;

import org.jspecify.annotations.NullMarked;
