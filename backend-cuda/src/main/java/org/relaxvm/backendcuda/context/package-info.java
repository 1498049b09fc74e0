/**
 * Devices of CUDA as the driver shows them: what they say of themselves, and what is held of one
 * that is in use, with its failures. Start with {@link
 * org.relaxvm.backendcuda.context.DeviceContext}.
 */
@NullMarked
package org.relaxvm.backendcuda.context;

import org.jspecify.annotations.NullMarked;
