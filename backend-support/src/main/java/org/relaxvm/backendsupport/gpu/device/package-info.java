/**
 * The parts of a device that all GPU backends share: its lifetime, memory, events and loading of
 * modules. Start at {@link org.relaxvm.backendsupport.gpu.device.GpuDevice}.
 */
@NullMarked
package org.relaxvm.backendsupport.gpu.device;

import org.jspecify.annotations.NullMarked;
