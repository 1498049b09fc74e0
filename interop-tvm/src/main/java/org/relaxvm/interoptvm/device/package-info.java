/**
 * Modules for devices as Apache TVM serialises them, and the way from them to the images that
 * backends take. Start with {@link org.relaxvm.interoptvm.device.DeviceModuleReader} and {@link
 * org.relaxvm.interoptvm.device.DeviceImages}.
 */
@NullMarked
package org.relaxvm.interoptvm.device;

import org.jspecify.annotations.NullMarked;
