package org.relaxvm.rpc.server;

import java.time.Duration;

/**
 * What a session may do.
 *
 * @param allowNative whether it may load native libraries
 * @param allowHops whether it may be continued on a further server
 * @param memoryBytes that its virtual machines may hold of each device
 * @param connectTime in which a further server must be reached
 */
record SessionSettings(
    boolean allowNative, boolean allowHops, long memoryBytes, Duration connectTime) {}
