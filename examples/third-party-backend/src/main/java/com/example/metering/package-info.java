/**
 * A device that counts what is done on it. {@link com.example.metering.MeteringDevice} has the
 * memory, {@link com.example.metering.Meter} the counts; the kernels are in the package beside.
 */
@NullMarked
package com.example.metering;

import org.jspecify.annotations.NullMarked;
