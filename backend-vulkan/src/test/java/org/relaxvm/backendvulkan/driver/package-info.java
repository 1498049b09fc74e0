/** Tests of what wraps the calls of Vulkan. */
@NullMarked
package org.relaxvm.backendvulkan.driver;

import org.jspecify.annotations.NullMarked;
