/**
 * Passes for programs that say where tensors lie. {@link
 * org.relaxvm.compiler.pass.device.RealizeVDevice} gives each tensor its place, {@link
 * org.relaxvm.compiler.pass.device.SpecializeKernels} each kernel its device. Both leave programs
 * without places alone.
 */
@NullMarked
package org.relaxvm.compiler.pass.device;

import org.jspecify.annotations.NullMarked;
