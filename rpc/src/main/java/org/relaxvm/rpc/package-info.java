/** Remote devices and remote functions: the client, the server, the tracker and the proxy. */
@NullMarked
package org.relaxvm.rpc;

import org.jspecify.annotations.NullMarked;
