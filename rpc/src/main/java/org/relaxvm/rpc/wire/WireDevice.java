package org.relaxvm.rpc.wire;

/**
 * A device as the protocol names it.
 *
 * @param type DLPack's number of the kind, without the mask of a session
 * @param id counted from 0
 */
public record WireDevice(int type, int id) {}
