/** Errors of remote peers. */
@NullMarked
package org.relaxvm.rpc.error;

import org.jspecify.annotations.NullMarked;
