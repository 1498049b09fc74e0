/**
 * The calls of Vulkan that this backend makes, as interfaces: {@link
 * org.relaxvm.backendvulkan.driver.Vulkan} and {@link
 * org.relaxvm.backendvulkan.driver.DeviceCalls}. Codes become exceptions here, handles are counted
 * here, and tests put their failures in here.
 */
@NullMarked
package org.relaxvm.backendvulkan.driver;

import org.jspecify.annotations.NullMarked;
