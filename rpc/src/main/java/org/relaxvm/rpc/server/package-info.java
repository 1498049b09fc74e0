/**
 * The server: sessions, their handles, devices and files, and the functions that clients find.
 * Source: docs/spec/rpc-protocol.md, sections 2 to 7, 9 and 12.
 */
@NullMarked
package org.relaxvm.rpc.server;

import org.jspecify.annotations.NullMarked;
