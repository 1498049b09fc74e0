/** Calls of the CUDA driver, and how libraries of the CUDA toolkit are found. */
@NullMarked
package org.relaxvm.backendcuda.driver;

import org.jspecify.annotations.NullMarked;
