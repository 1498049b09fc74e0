/** Tests of how libraries are found. */
@NullMarked
package org.relaxvm.backendcuda.toolkit;

import org.jspecify.annotations.NullMarked;
