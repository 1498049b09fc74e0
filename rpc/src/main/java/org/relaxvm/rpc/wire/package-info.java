/**
 * The bytes of the protocol: handshake, packets and packed sequences. Source:
 * docs/spec/rpc-protocol.md, sections 1 to 5.
 */
@NullMarked
package org.relaxvm.rpc.wire;

import org.jspecify.annotations.NullMarked;
