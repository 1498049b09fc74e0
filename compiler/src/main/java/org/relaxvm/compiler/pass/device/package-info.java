/**
 * Passes for programs that say where tensors lie. {@link
 * org.relaxvm.compiler.pass.device.RealizeVDevice} gives each tensor its device, {@link
 * org.relaxvm.compiler.pass.device.SpecializeKernels} each kernel its device. Both leave programs
 * without virtual devices alone.
 */
@NullMarked
package org.relaxvm.compiler.pass.device;

import org.jspecify.annotations.NullMarked;
