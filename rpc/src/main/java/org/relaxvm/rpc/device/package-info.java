/**
 * A device of a server as a device of this process, {@code rpc://host:port/kind:number}: memory,
 * copies and kernels there, the virtual machine here.
 */
@NullMarked
package org.relaxvm.rpc.device;

import org.jspecify.annotations.NullMarked;
