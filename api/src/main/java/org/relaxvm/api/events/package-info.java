/**
 * What RelaxVM tells Java Flight Recorder: calls, kernels and their builds, copies, allocations,
 * fallbacks and leaks. {@link org.relaxvm.api.events.Events} says whether anybody records.
 */
@NullMarked
package org.relaxvm.api.events;

import org.jspecify.annotations.NullMarked;
