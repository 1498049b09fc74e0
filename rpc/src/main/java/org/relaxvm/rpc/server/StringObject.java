package org.relaxvm.rpc.server;

/** A text whose result has the type of a string in memory of its own, however short it is. */
record StringObject(String text) {}
