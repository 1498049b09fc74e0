package org.relaxvm.rpc.device;

import org.relaxvm.api.spi.DeviceMemory;

/**
 * A block on the server.
 *
 * @param data its handle
 */
record RemoteMemory(RemoteDevice device, long data, long byteSize) implements DeviceMemory {}
