/**
 * Recordings of the work that one call gives to a device: the stream and the memory that the call
 * gets, and what is kept of it.
 */
@NullMarked
package org.relaxvm.vmcore.capture;

import org.jspecify.annotations.NullMarked;
