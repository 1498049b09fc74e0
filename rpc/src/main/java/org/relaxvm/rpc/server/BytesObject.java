package org.relaxvm.rpc.server;

/** Bytes whose result has the type of bytes in memory of their own, however few they are. */
record BytesObject(byte[] content) {}
