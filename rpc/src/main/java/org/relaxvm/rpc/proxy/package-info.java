/**
 * The proxy joins servers and clients that both connect to it. Source: docs/spec/rpc-protocol.md,
 * section 9.
 */
@NullMarked
package org.relaxvm.rpc.proxy;

import org.jspecify.annotations.NullMarked;
