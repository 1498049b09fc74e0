package org.relaxvm.rpc.wire;

/**
 * An object that the other side keeps, as an argument.
 *
 * @param typeIndex {@link TypeIndex#FUNCTION}, {@link TypeIndex#MODULE} or {@link
 *     TypeIndex#REMOTE_OBJECT}
 * @param handle as the other side gave it
 */
public record ObjectHandle(int typeIndex, long handle) {}
