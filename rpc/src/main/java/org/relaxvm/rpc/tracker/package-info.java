/** The tracker hands out servers by key. Source: docs/spec/rpc-protocol.md, section 8. */
@NullMarked
package org.relaxvm.rpc.tracker;

import org.jspecify.annotations.NullMarked;
