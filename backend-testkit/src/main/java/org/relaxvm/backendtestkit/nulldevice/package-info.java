/**
 * A backend that accepts everything and computes nothing. What a program costs on it is what the
 * core costs: reading instructions, calling, allocating. Start at {@link
 * org.relaxvm.backendtestkit.nulldevice.NullBackendProvider}.
 */
@NullMarked
package org.relaxvm.backendtestkit.nulldevice;

import org.jspecify.annotations.NullMarked;
