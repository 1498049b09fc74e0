/** Connections: sockets, TLS and pipes, with deadlines. */
@NullMarked
package org.relaxvm.rpc.transport;

import org.jspecify.annotations.NullMarked;
