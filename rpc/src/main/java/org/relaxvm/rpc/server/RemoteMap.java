package org.relaxvm.rpc.server;

import java.util.Map;

/** A map as a value of a call; this virtual machine has none of its own. */
record RemoteMap(Map<String, Object> content) {}
