package org.relaxvm.rpc.server;

/**
 * What a session may do.
 *
 * @param allowNative whether it may load native libraries
 * @param memoryBytes that its virtual machines may hold of each device
 */
record SessionSettings(boolean allowNative, long memoryBytes) {}
