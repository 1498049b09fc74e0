/**
 * The client's side of a conversation: requests, answers and handles. Source:
 * docs/spec/rpc-protocol.md, sections 2 to 4.
 */
@NullMarked
package org.relaxvm.rpc.client;

import org.jspecify.annotations.NullMarked;
