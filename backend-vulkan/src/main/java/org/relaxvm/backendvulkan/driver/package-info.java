/** The calls of Vulkan that this backend makes, behind one interface. */
@NullMarked
package org.relaxvm.backendvulkan.driver;

import org.jspecify.annotations.NullMarked;
