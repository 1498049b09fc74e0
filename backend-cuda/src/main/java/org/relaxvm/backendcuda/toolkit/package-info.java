/** Libraries of NVIDIA's toolkit, which this backend uses where they are. */
@NullMarked
package org.relaxvm.backendcuda.toolkit;

import org.jspecify.annotations.NullMarked;
