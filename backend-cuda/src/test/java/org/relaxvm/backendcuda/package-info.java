/** Tests of the CUDA backend against a driver that remembers what it was asked. */
@NullMarked
package org.relaxvm.backendcuda;

import org.jspecify.annotations.NullMarked;
