/**
 * Calls of compiled code and calls back from it. What a thread needs for that lies in {@link
 * org.relaxvm.interoptvm.call.NativeThread}.
 */
@NullMarked
package org.relaxvm.interoptvm.call;

import org.jspecify.annotations.NullMarked;
